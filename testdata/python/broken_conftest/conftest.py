"""Proves: a conftest that fails to load is told as the project's trouble (exit 7), with its error."""
raise RuntimeError("the conftest of this project is broken")
