"""A Discord bot as a client of an agent."""

from svc.client.discord.discord_client import DiscordClient as DiscordClient
