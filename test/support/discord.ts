/** A fake Discord and clients of it; everything is closed when the test ends. */
import { DiscordClient } from 'svc-sdk/agent/discord';
import { type FakeDiscord, startFakeDiscord } from 'svc-sdk/agent/testing';
import { onTestFinished, vi } from 'vitest';

/** Waits with jitter do not wait: each is a random part of a longer time. */
export async function openDiscord(options: { heartbeatMs?: number } = {}): Promise<FakeDiscord> {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const fake = await startFakeDiscord(options);
  onTestFinished(() => fake.close());
  return fake;
}

export async function startDiscordClient(fake: FakeDiscord, cursor: unknown = null): Promise<DiscordClient> {
  const client = new DiscordClient(fake.clientOptions);
  client.cursor = cursor;
  onTestFinished(() => client.stop());
  await client.start();
  return client;
}

/** A one-pixel PNG. */
export const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
