"""Tables kept in a Parquet file: schema, reader, writer, and scoring what was read."""
