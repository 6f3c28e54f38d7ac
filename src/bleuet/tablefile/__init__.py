"""Tables saved in a Parquet file: its schema, reader and writer, and scoring what was read."""
