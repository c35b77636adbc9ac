"""Read, score and write logs of answers: files, data frames, Arrow, Spark and Ray."""
