"""What holds for all tests: none of them is about time, and a busy machine is no fault."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
