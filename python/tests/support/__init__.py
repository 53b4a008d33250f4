"""Parts of the tests."""
