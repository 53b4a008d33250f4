/** The messages that a client of an agent returns. */
import { setImmediate } from 'node:timers/promises';
import type { BaseClient, MessageContext } from 'svc-sdk/agent';

/** The next message; skips nulls, which a client returns when no message arrived. */
export async function receive(client: BaseClient): Promise<MessageContext> {
  const signal = AbortSignal.timeout(10_000);
  while (!signal.aborted) {
    const ctx = await client.receiveMessage({ signal });
    if (ctx) return ctx;
    // A client that was stopped returns null at once.
    await setImmediate();
  }
  throw new Error('No message came in 10 s');
}

export async function receiveTexts(client: BaseClient, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) texts.push((await receive(client)).message);
  return texts;
}
