"""`python -m bleuet` is the command `bleuet`."""

from __future__ import annotations

import sys

from bleuet.cli.main import main

sys.exit(main())
