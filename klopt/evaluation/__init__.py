"""Agreement of scores with human judgements: the papers' tables, intervals, ablation, comparison."""
