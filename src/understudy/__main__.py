"""`python -m understudy` is the command `understudy`."""

from __future__ import annotations

import sys

from understudy.cli.main import main

sys.exit(main())
