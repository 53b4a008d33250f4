"""``client_contract`` tests a client of your own on a fake of its platform, with any test runner."""

from svc.client.testing.client_contract import ContractCase, client_contract
from svc.client.testing.contract.stage import MakeClient
from svc.client.testing.fake_platform import FakeFault, FakePlatform, SentMessage

__all__ = ["ContractCase", "FakeFault", "FakePlatform", "MakeClient", "SentMessage", "client_contract"]
