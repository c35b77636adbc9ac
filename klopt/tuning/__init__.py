"""Learns a company's own tables from its help pages."""
