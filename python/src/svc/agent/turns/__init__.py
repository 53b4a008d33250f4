"""Turns: the steps from a person's message to the reply."""
