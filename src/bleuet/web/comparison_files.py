"""The files in the folder of a comparison, beside those that are compared."""

# What is to be compared.
JOB = "job.json"
# A page that gets its sentences from the server, and one that holds them.
PAGE, REPORT = "page", "report"
# What `row_files` writes and `sentence_rows` reads.
DESCRIPTION = "rows.json"
