"""The wire that both halves of the SDK share. docs/protocol.md of the repository is the normative text."""
