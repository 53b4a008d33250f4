"""From what a person wrote to the reply."""
