"""`python -m bleuet.compat.sacrebleu` replaces `python -m sacrebleu`."""

from __future__ import annotations

import sys

from bleuet.compat.sacrebleu.sacrebleu import main

sys.exit(main(sys.argv[1:]))
