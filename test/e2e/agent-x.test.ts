/** An agent on X, with the real service and store: what people read. */
import { join } from 'node:path';
import { Agent, type AgentEvent, type AskModel } from 'svc-sdk/agent';
import type { FakeX } from 'svc-sdk/agent/testing';
import { XClient } from 'svc-sdk/agent/x';
import { expect, onTestFinished, test } from 'vitest';
import { startX } from '../support/agent-x';
import { makeFolder } from '../support/folder';
import { startService, type TestService } from '../support/service';

/** An agent that stops with the test, or before. */
async function startAgent(service: TestService, fake: FakeX, store: string, model: AskModel, onEvent?: (event: AgentEvent) => void) {
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const client = new XClient(fake.clientOptions);
  const agent = new Agent({ apiKey: key, baseUrl: service.url, clients: [client], store, model, onEvent });
  const running = agent.run();
  running.catch(() => {});
  onTestFinished(() => agent.stop());
  return { agent, running };
}

function makeStore(): string {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  return join(folder.path, 'agent.db');
}

const echo: AskModel = async ({ messages }) => ({ role: 'assistant', content: `You wrote: ${messages.at(-1)?.content}` });

test('a mention is answered under its post, and one that was written between two runs too', async () => {
  const [service, fake, store] = [await startService(), await startX(), makeStore()];
  const first = await startAgent(service, fake, store, echo);
  await expect.poll(() => fake.requests.filter(({ path }) => path.endsWith('/mentions')).length).toBeGreaterThan(0);
  const one = await fake.say({ text: 'one', userName: 'grace', chatId: '17' });
  await expect.poll(() => fake.sent).toEqual([{ chatId: '17', text: 'You wrote: [grace] one', replyTo: one }]);
  await first.agent.stop();
  await first.running;

  const two = await fake.say({ text: 'two', userName: 'grace', chatId: '17' });
  await startAgent(service, fake, store, echo);
  await expect.poll(() => fake.sent.slice(1)).toEqual([{ chatId: '17', text: 'You wrote: [grace] two', replyTo: two }]);
});

test('an agent that stopped before its first mention answers later mentions', async () => {
  const [service, fake, store] = [await startService(), await startX(), makeStore()];
  const first = await startAgent(service, fake, store, echo);
  await expect.poll(() => fake.requests.some(({ path }) => path.endsWith('/mentions'))).toBe(true);
  await first.agent.stop();
  await first.running;

  const replyTo = await fake.say({ text: 'meanwhile' });
  // Only the stored start time finds the mention: the current start time is later.
  const startedAt = Date.now();
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(Math.floor(startedAt / 1000));
  await startAgent(service, fake, store, echo);
  await expect.poll(() => fake.sent).toMatchObject([{ text: 'You wrote: [ada] meanwhile', replyTo }]);
});

test('the question of an approval is a reply, and a yes in the conversation runs the call', async () => {
  const [service, fake] = [await startService(), await startX()];
  let runs = 0;
  await service.toolkit('files', (toolkit) =>
    toolkit.action({ action: 'wipe', actionDescription: 'Wipes a disk', annotations: { destructive: true } }, () => ({ runs: ++runs })),
  );
  await startAgent(service, fake, makeStore(), async ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { role: 'assistant', content: `Done: ${last.content}` };
    const call = { name: 'invoke_service', arguments: '{"action":"files__wipe","payload":{}}' };
    return { role: 'assistant', content: null, tool_calls: [{ id: 'call_0', type: 'function', function: call }] };
  });
  const replyTo = await fake.say({ text: 'Wipe it', userId: '5', chatId: '17' });
  await expect.poll(() => fake.sent).toMatchObject([{ chatId: '17', text: expect.stringContaining('wipe'), replyTo }]);
  expect(runs).toBe(0);

  await fake.say({ text: '@svc_fake @bob Yes!', userId: '5', chatId: '17', kind: 'replied_to' });
  await expect.poll(() => fake.sent.slice(1)).toEqual([{ chatId: '17', text: 'Done: {"runs":1}', replyTo }]);
});

test('a reply that X refuses ends its turn, and the next mention is answered', async () => {
  const [service, fake] = [await startService(), await startX()];
  const codes: string[] = [];
  await startAgent(service, fake, makeStore(), echo, (event) => {
    if (event.type === 'turn-end') codes.push(event.code);
  });
  fake.fault({ on: '/2/tweets', status: 403 });
  await fake.say({ text: 'one' });
  await expect.poll(() => codes).toEqual(['not-sent']);
  await fake.say({ text: 'two' });
  await expect.poll(() => fake.sent).toMatchObject([{ text: 'You wrote: [ada] two' }]);
});

test('a photo reaches the model', async () => {
  const [service, fake] = [await startService(), await startX()];
  const asked: unknown[] = [];
  await startAgent(service, fake, makeStore(), async ({ messages }) => {
    asked.push(messages.at(-1)?.content);
    return { role: 'assistant', content: 'A dot' };
  });
  const images = ['data:image/png;base64,iVBORw0KGgo='];
  await fake.say({ text: 'What is it?', images });
  await expect
    .poll(() => asked)
    .toEqual([
      [
        { type: 'text', text: '[ada] What is it?' },
        { type: 'image_url', image_url: { url: images[0] } },
      ],
    ]);
});

test('wrong credentials reject run() with the client and what to do', async () => {
  const [service, fake] = [await startService(), await startX()];
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const clients = [new XClient(fake.wrongCredentials)];
  const agent = new Agent({ apiKey: key, baseUrl: service.url, clients, store: ':memory:', model: echo });

  await expect(agent.run()).rejects.toThrow(
    /^The client x-7000000003 cannot start: X refused GET \/2\/users\/me: 401 Unauthorized\. Copy apiKey/,
  );
});
