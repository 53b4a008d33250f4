/** A fake Telegram and clients of it; everything is closed when the test ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { type FakeTelegram, startFakeTelegram } from 'svc-sdk/agent/testing';
import { onTestFinished, vi } from 'vitest';

/** Waits with jitter do not wait: each is a random part of a longer time. */
export async function openTelegram(): Promise<FakeTelegram> {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const fake = await startFakeTelegram();
  onTestFinished(() => fake.close());
  return fake;
}

export async function startTelegramClient(fake: FakeTelegram, cursor: unknown = null): Promise<TelegramClient> {
  const client = new TelegramClient(fake.clientOptions);
  client.cursor = cursor;
  onTestFinished(() => client.stop());
  await client.start();
  return client;
}

/** The number of calls of a method by the bot. */
export function countCalls(fake: FakeTelegram, method: string): number {
  return fake.requests.filter(({ path }) => path.endsWith(`/${method}`)).length;
}

/** Timers of the clients and of the fake are stopped, except in `secondsUntil`. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Moves the timers on, a second after the other, until the condition is true; the real time of each is for the network. Returns the seconds. */
export async function secondsUntil(condition: () => boolean): Promise<number> {
  for (let seconds = 0; ; seconds += 1) {
    await sleep(2);
    if (condition()) return seconds;
    await vi.advanceTimersByTimeAsync(1_000);
  }
}
