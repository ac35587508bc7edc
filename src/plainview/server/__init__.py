"""The language server: the only package that imports lsprotocol and pygls."""
