"""An account of X as a client of an agent."""

from svc.client.x.x_client import XClient as XClient
