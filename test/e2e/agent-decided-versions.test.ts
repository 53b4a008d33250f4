/** A call of the agent runs the decided version, even if a toolkit registers another before the call. */
import { type AgentOptions, type AskModel, messageText } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { startHeaderProxy } from '../support/header-proxy';
import { RawToolkit } from '../support/raw-toolkit';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';
import { startService, type TestService } from '../support/service';

const LOOK = { action: 'look', actionDescription: 'Looks' };
const ERASE = { action: 'erase', actionDescription: 'Erases a list', payloadDescription: { list: { type: 'string' } } };
const DESTRUCTIVE = { ...ERASE, annotations: { destructive: true } };
const FORCED = { ...DESTRUCTIVE, payloadDescription: { list: { type: 'string' }, force: { type: 'boolean' } } };
const QUESTION = 'May I do this?\nraw__erase {"list":"a"}\nAnswer yes or no.';

/** Calls the actions that the message names, and repeats the outputs of the tools. */
const model: AskModel = async ({ messages }) => {
  const results = newestResults(messages);
  if (results.length > 0) return say(results.join());
  const names = messageText(messages.at(-1) ?? { role: 'user' }).split(' ');
  return callActions(...names.map((name): [string, object] => [`raw__${name}`, { list: 'a' }]));
};

async function stage(...actions: object[]) {
  const service = await startService();
  const toolkit = await RawToolkit.connect(service);
  if (actions.length > 0) await toolkit.register(actions);
  const client = new PipeClient();
  return { service, toolkit, client };
}

const invoked = ({ received }: RawToolkit) => received.filter(({ method }) => method === 'invoke');

/** An agent on a service that registers `actions` before it gets the first call. */
async function agentBefore(actions: object[], parts: Awaited<ReturnType<typeof stage>>, options: Pick<AgentOptions, 'approve'> = {}) {
  let isChanged = false;
  const baseUrl = await startHeaderProxy(parts.service.url, {}, async (path) => {
    if (isChanged || path !== '/v1/invoke') return;
    isChanged = true;
    await parts.toolkit.register(actions);
  });
  return runAgent(parts.service, { clients: [parts.client], model, baseUrl, ...options });
}

async function answerRun(toolkit: RawToolkit, index: number, result: string): Promise<void> {
  const { id } = await toolkit.invoked(index);
  toolkit.send({ jsonrpc: '2.0', id, result });
}

test.each([
  ['comes online', []],
  ['becomes destructive', [ERASE]],
])('a destructive action that %s between decision and call does not run, and its next call needs approval', async (_what, before) => {
  const parts = await stage(...before);
  const { client, toolkit } = parts;
  await agentBefore([DESTRUCTIVE], parts);
  client.say('erase');
  await vi.waitFor(() => expect(client.texts()[0]).toContain('APPROVAL_REQUIRED'));
  expect(invoked(toolkit)).toEqual([]);
  client.say('erase');
  await vi.waitFor(() => expect(client.texts()[1]).toBe(QUESTION));
  expect(invoked(toolkit)).toEqual([]);
});

test('a function that approves one version approves no other', async () => {
  const parts = await stage(DESTRUCTIVE);
  const approve = vi.fn(() => true);
  await agentBefore([FORCED], parts, { approve });
  parts.client.say('erase');
  await vi.waitFor(() => expect(parts.client.texts()[0]).toContain('APPROVAL_REQUIRED'));
  expect(invoked(parts.toolkit)).toEqual([]);
  expect(approve).toHaveBeenCalledOnce();
});

async function restarted(service: TestService, store: string, change: () => Promise<unknown>, apiKey: string) {
  await change();
  const client = new PipeClient('pipe');
  client.cursor = 0;
  await runAgent(service, { clients: [client], model, store, apiKey });
  // The cursor of the first client has passed one message.
  client.say('never received');
  client.say('yes');
  return client;
}

test.each([
  ['the approved call does not run if its action changed', [LOOK, FORCED], 1, /looked.*APPROVAL_REQUIRED/],
  [
    'a call beside it that needed no approval does not run if it needs one by now',
    [{ ...LOOK, annotations: { destructive: true } }, DESTRUCTIVE],
    1,
    /APPROVAL_REQUIRED.*erased/,
  ],
  ['both run if neither did', [LOOK, DESTRUCTIVE], 2, /looked.*erased/],
])('an approval after a restart: %s', async (_what, after, runs, said) => {
  const { service, toolkit, client } = await stage(LOOK, DESTRUCTIVE);
  const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const store = storePath();
  const { stop } = await runAgent(service, { clients: [client], model, store, apiKey });
  client.say('look erase');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION]));
  await stop();
  const later = await restarted(service, store, () => toolkit.register(after), apiKey);
  for (let run = 0; run < runs; run++) {
    const { params } = await toolkit.invoked(run);
    await answerRun(toolkit, run, params.action === 'look' ? 'looked' : 'erased');
  }
  await vi.waitFor(() => expect(later.texts()[0]).toMatch(said));
  expect(invoked(toolkit)).toHaveLength(runs);
});
