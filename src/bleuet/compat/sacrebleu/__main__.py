"""`python -m bleuet.compat.sacrebleu` stands in for `python -m sacrebleu`."""

from __future__ import annotations

import sys

from bleuet.compat.sacrebleu_cli import main

sys.exit(main(sys.argv[1:]))
