"""Profile, decision tree, scorer, assessment, explanation."""
