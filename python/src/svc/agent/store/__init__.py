"""The agent's file."""
