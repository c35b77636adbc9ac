"""Fit weights and thresholds to a company's ratings, and extract its terms from help pages."""
