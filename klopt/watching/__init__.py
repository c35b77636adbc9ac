"""Logs scored as they grow, and what came of them on a page that keeps up: ``klopt watch``."""
