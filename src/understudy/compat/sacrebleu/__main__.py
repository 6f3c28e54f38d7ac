"""`python -m understudy.compat.sacrebleu` stands in for `python -m sacrebleu`."""

from __future__ import annotations

import sys

from understudy.compat.sacrebleu_cli import main

sys.exit(main(sys.argv[1:]))
