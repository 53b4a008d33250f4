/** Fifty chats at a time: the limits hold over all turns, and a slow chat delays no other. */
import { Toolkit } from 'svc-sdk';
import type { AgentOptions } from 'svc-sdk/agent';
import { expect, onTestFinished, test, vi } from 'vitest';
import { countRuns } from '../../bench/agent/counting';
import { startCountingModel } from '../../bench/agent/counting-model';
import { PipeClient } from '../support/agent';
import { runAgent, say } from '../support/run-agent';
import { startService } from '../support/service';

const CHATS = Array.from({ length: 50 }, (_, index) => `chat-${index}`);

async function startCounting(options: Pick<AgentOptions, 'toolCallConcurrency'> = {}) {
  const service = await startService();
  const counted = countRuns();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'counting' });
  // The toolkit itself limits nothing here.
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, concurrency: 1_000 });
  counted.define(toolkit);
  const over = toolkit.run();
  onTestFinished(async () => {
    await toolkit.stop({ timeoutMs: 100 });
    await over;
  });
  await toolkit.ready;
  const model = await startCountingModel();
  onTestFinished(() => model.close());
  vi.stubEnv('OPENAI_BASE_URL', model.baseURL);
  vi.stubEnv('OPENAI_API_KEY', 'any');
  vi.stubEnv('SVC_MODEL', 'openai/scripted-model');
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = new PipeClient();
  await runAgent(service, { clients: [client], maxConcurrentTurns: 100, ...options });
  return { counted, client };
}

test('a slow chat with many calls delays no other', async () => {
  const { counted, client } = await startCounting();
  const held = Array.from({ length: 30 }, (_, index) => counted.gates.hold(`run slow/0/${index}`));
  client.say('count 30 as slow', { chatId: 'slow' });
  await vi.waitFor(() => expect(counted.runs.size).toBe(9));
  for (const chatId of CHATS) client.say(`count 1,1 as ${chatId}`, { chatId });
  await vi.waitFor(() => expect(client.sent).toHaveLength(CHATS.length));
  expect(client.texts('slow')).toEqual([]);
  for (const gate of held) gate.open();
  await vi.waitFor(() => expect(client.texts('slow')).toEqual(['Counted slow']));
  expect(counted.mostAtOnce).toBe(10);
});

test('toolCallConcurrency holds over all turns', async () => {
  const { counted, client } = await startCounting({ toolCallConcurrency: 10 });
  const held = CHATS.flatMap((chatId) => [0, 1, 2].map((index) => counted.gates.hold(`run ${chatId}/0/${index}`)));
  for (const chatId of CHATS) client.say(`count 3 as ${chatId}`, { chatId });
  await vi.waitFor(() => expect(counted.runs.size).toBe(10));
  for (const gate of held) gate.open();
  await vi.waitFor(() => expect(client.sent).toHaveLength(CHATS.length));
  expect(counted.runs.size).toBe(3 * CHATS.length);
  expect(counted.mostAtOnce).toBe(10);
});

test('maxConcurrentTurns holds, and every chat has its turn', async () => {
  const service = await startService();
  const client = new PipeClient();
  const opened = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const model = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await opened.promise;
    atOnce -= 1;
    return say('ok');
  };
  await runAgent(service, { clients: [client], model, maxConcurrentTurns: 4 });
  for (const chatId of CHATS) client.say('hello', { chatId });
  await vi.waitFor(() => expect(atOnce).toBe(4));
  opened.resolve();
  await vi.waitFor(() => expect(client.sent).toHaveLength(CHATS.length));
  expect(most).toBe(4);
});
