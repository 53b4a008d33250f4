"""A Telegram bot as a client of an agent."""

from svc.client.telegram.telegram_client import TelegramClient as TelegramClient
