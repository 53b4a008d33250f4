"""Chat clients of an agent: ``svc.client.base``, and one module for each platform."""
