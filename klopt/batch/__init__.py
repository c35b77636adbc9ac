"""Files in and out: rows, folders of pages, results."""
