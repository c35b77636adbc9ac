"""The rating page, for this machine only: rate a company's answers, decide on suggestions."""
