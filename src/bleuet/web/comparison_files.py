"""The files in the folder of a comparison; the server and the process that compares share it.

Neither of the two imports the other: the server starts the process, which loads much more.
"""

# What is to be compared.
JOB = "job.json"
# A page that gets its sentences from the server, and one that holds them.
PAGE, REPORT = "page", "report"
# The media type of each result: the two pages, and a document in each format.
TYPES = {
    PAGE: "text/html", REPORT: "text/html", "text": "text/plain", "markdown": "text/markdown",
    "latex": "text/x-tex", "csv": "text/csv", "json": "application/json",
    "jsonl": "application/jsonl", "html": "text/html",
}  # fmt: skip
