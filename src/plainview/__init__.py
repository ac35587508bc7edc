"""Plainview: what an agent reads and a reviewer does not, in plain view."""

__version__ = "0.1.0"
