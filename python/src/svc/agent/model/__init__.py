"""Asks a language model."""
