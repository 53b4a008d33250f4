/** An X on loopback with a client; both end with the test. */
import type { MessageContext } from 'svc-sdk/agent';
import { type FakeX, startFakeX } from 'svc-sdk/agent/testing';
import { XClient, type XClientOptions } from 'svc-sdk/agent/x';
import { onTestFinished } from 'vitest';

export async function startX(options?: { pageSize: number }): Promise<FakeX> {
  const fake = await startFakeX(options);
  onTestFinished(() => fake.close());
  return fake;
}

/** Started, with the cursor of an earlier client if one is given. */
export async function startXClient(fake: FakeX, { cursor = null, ...options }: Partial<XClientOptions> & { cursor?: unknown } = {}) {
  const client = new XClient({ ...fake.clientOptions, ...options });
  onTestFinished(() => client.stop());
  client.cursor = cursor;
  await client.start();
  return client;
}

/** The next messages; nulls in between are left out. */
export async function receive(client: XClient, count: number): Promise<MessageContext[]> {
  const signal = AbortSignal.timeout(15_000);
  const messages: MessageContext[] = [];
  while (messages.length < count) {
    signal.throwIfAborted();
    const message = await client.receiveMessage({ signal });
    if (message) messages.push(message);
  }
  return messages;
}

/** The texts of the next messages. */
export async function receiveTexts(client: XClient, count: number): Promise<string[]> {
  return (await receive(client, count)).map(({ message }) => message);
}
