"""What holds for all tests: none of them is about time, and a busy machine is no fault."""

import os

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
# Lines are as long as they are where nothing says how wide the terminal is, whatever runs the tests.
os.environ.pop("COLUMNS", None)
