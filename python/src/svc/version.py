"""The version of the package. ``npm run version:next`` writes it, here and in pyproject.toml."""

__version__ = "0.13.0"
