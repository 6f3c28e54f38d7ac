"""The files in the folder of a comparison; the server and the process that compares share it.

Neither of the two imports the other: the server starts the process, which loads much more.
"""

from bleuet.output.rendering import FORMATS

# What is to be compared.
JOB = "job.json"
# A page that gets its sentences from the server, and one that holds them.
PAGE, REPORT = "page", "report"
# Every result, and the format of its file: the two pages, and a document in each format.
RESULTS = {PAGE: FORMATS["html"], REPORT: FORMATS["html"], **FORMATS}
# The numbers of every segment: lengths, buckets, scores and contributions.
NUMBERS = "numbers"
