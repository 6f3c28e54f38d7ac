"""Records: the rows of TSV, CSV, JSON Lines and Parquet files, one file for each format."""
