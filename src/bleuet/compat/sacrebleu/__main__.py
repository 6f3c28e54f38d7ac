"""`python -m bleuet.compat.sacrebleu` replaces `python -m sacrebleu`."""

from __future__ import annotations

import sys

from bleuet.compat.sacrebleu.sacrebleu import main
from bleuet.output.destination import own_process

sys.exit(own_process(lambda: main(sys.argv[1:])))
