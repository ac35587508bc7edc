"""What a server loads before it has answered `initialize`: only what the answer needs."""

import subprocess
import sys

CODE = """
import sys
from plainview.server import lazy
lazy.postpone()
from plainview.server.main import Server
Server()
before = set(sys.modules)
lazy.load()
print(*sorted(name for name in set(sys.modules) - before if name.startswith("plainview.")))
"""


def test_the_engine_is_loaded_after_the_answer_to_initialize() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    late = set(run.stdout.split())
    assert {"plainview.detect", "plainview.hidden", "plainview.match", "plainview.markup", "plainview.tokens"} <= late
