"""Chats of approvers: people decide there about calls that a rule of the service asks about."""
