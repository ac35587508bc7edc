"""The o200k_base vocabulary, shipped inside the package: nothing is downloaded at run time."""

from __future__ import annotations

from pathlib import Path

from plainview.vocabulary.pack import VocabularyError, unpack

__all__ = ["PACKED", "VocabularyError", "ranks"]

PACKED = Path(__file__).with_name("o200k_base.bin")
"""Written when the package is built (`hatch_hook.py`)."""


def ranks(file: Path = PACKED) -> dict[bytes, int]:
    """The rank of every o200k_base token, by its bytes.

    Raises VocabularyError when `file` cannot be read or is damaged.
    """
    try:
        packed = file.read_bytes()
    except OSError as error:
        raise VocabularyError(
            f"{file}: {error.strerror}; building writes it: install the package first (pip install -e .)"
        ) from error
    return unpack(packed)
