"""The data-only package `klopt.data`: help pages and rated turns of a demo company."""
