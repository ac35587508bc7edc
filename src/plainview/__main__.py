"""`python -m plainview`."""

import sys

from plainview.cli import main

sys.exit(main())
