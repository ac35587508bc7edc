"""When garbage is looked for. In a process of its own, for there is one collector for all tests."""

import subprocess
import sys

CODE = """
import gc
from plainview.server import garbage

class Knot:
    def __init__(self):
        self.itself = self
        made.add(id(self))

    def __del__(self):
        made.discard(id(self))

gc.disable()
made = set()
kept = [Knot()]
garbage.begin()
assert gc.isenabled() and gc.get_freeze_count() > 0
lost = Knot()
# Once it is old only a search of everything finds it.
gc.collect(1)
del lost
garbage.search()
early = len(made)
for _ in range(12):
    gc.collect(1)
late = len(made)
garbage.search()
print(early, late, len(made))
"""


def test_all_is_searched_when_that_is_due_and_asked_for() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["2", "2", "1"]
