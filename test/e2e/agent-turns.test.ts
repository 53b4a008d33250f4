import { type AskModel, messageText, RefusedReply } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';
import { startService } from '../support/service';

const echo: AskModel = async ({ messages }) => say(`You: ${messageText(messages.at(-1) ?? { role: 'user' })}`);

test('the model reads the earlier turns of the chat, and of no other, until /new', async () => {
  const service = await startService();
  const client = new PipeClient();
  const seen: string[][] = [];
  const model: AskModel = async ({ messages }) => {
    seen.push(messages.slice(1).map(messageText));
    return say('ok');
  };
  await runAgent(service, { clients: [client], model });
  client.say('one');
  client.say('other', { chatId: 'other' });
  client.say('two');
  client.say('/new');
  client.say('three');
  await vi.waitFor(() => expect(client.sent).toHaveLength(5));
  expect(seen.filter(([first]) => first !== 'other')).toEqual([['one'], ['one', 'ok', 'two'], ['three']]);
  expect(client.texts()).toEqual(['ok', 'ok', 'A new conversation. I no longer read what came before.', 'ok']);
});

test('a message that the platform delivers twice is answered once', async () => {
  const service = await startService();
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model: echo });
  client.say('a', { messageId: 'same' });
  client.say('a', { messageId: 'same' });
  client.say('b');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: a', 'You: b']));
});

test('in a chat with several people the model gets the author of each message', async () => {
  const service = await startService();
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model: echo });
  client.say('hi', { isPrivate: false, userName: 'Ann [the] boss]\n[Bob' });
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: [Ann (the) boss) (Bob] hi']));
});

test('/stop ends the call of a model that ignores its signal, and what waits behind it', async () => {
  const service = await startService();
  const client = new PipeClient();
  const model: AskModel = ({ messages }) =>
    messageText(messages.at(-1) ?? { role: 'user' }) === 'wait' ? new Promise(() => {}) : Promise.resolve(say('ok'));
  const { events } = await runAgent(service, { clients: [client], model });
  client.say('wait');
  client.say('behind');
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining({ type: 'turn-start' })));
  client.say('/stop');
  client.say('after');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Stopped.', 'ok']));
  expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(4);
});

test('/stop cancels the call of an action, and its handler', async () => {
  const service = await startService();
  const cancelled = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  await service.toolkit('slow', (toolkit) =>
    toolkit.action({ action: 'wait', actionDescription: 'Waits', payloadDescription: 'nothing' }, (ctx) => {
      began.resolve();
      return new Promise((_, reject) => {
        ctx.signal.addEventListener('abort', () => {
          cancelled.resolve();
          reject(ctx.signal.reason);
        });
      });
    }),
  );
  const client = new PipeClient();
  const seen: string[] = [];
  const model: AskModel = async ({ messages }) => {
    seen.push(...newestResults(messages));
    return messageText(messages.at(-1) ?? { role: 'user' }) === 'go'
      ? callActions(['slow__wait', {}])
      : say(JSON.stringify(messages.slice(1)));
  };
  await runAgent(service, { clients: [client], model });
  client.say('go');
  await began.promise;
  client.say('/stop');
  client.say('and now?');
  await cancelled.promise;
  await vi.waitFor(() => expect(client.texts()).toHaveLength(2));
  // The conversation that the model reads next has a result for the call.
  expect(JSON.parse(client.texts()[1] ?? '')).toMatchObject([
    { role: 'user', content: 'go' },
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'call_0', content: expect.stringContaining('It may have run') },
    { role: 'assistant', content: 'Stopped.' },
    { role: 'user', content: '/stop' },
    { role: 'assistant', content: 'Stopped.' },
    { role: 'user', content: 'and now?' },
  ]);
});

test('the model request of the last step has no tools', async () => {
  const service = await startService();
  const client = new PipeClient();
  const offered: number[] = [];
  const model: AskModel = async ({ tools }) => {
    offered.push(tools.length);
    return tools.length > 0 ? callActions(['no__such', {}]) : say('That is all');
  };
  await runAgent(service, { clients: [client], model, maxSteps: 3 });
  client.say('go');
  await vi.waitFor(() => expect(client.texts()).toEqual(['That is all']));
  expect(offered).toEqual([2, 2, 0]);
});

test('a turn that takes too long ends with the text for errors', async () => {
  const service = await startService();
  const client = new PipeClient();
  const { events } = await runAgent(service, { clients: [client], model: () => new Promise(() => {}), turnTimeoutMs: 50 });
  client.say('go');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Something went wrong, and I could not finish that. Please try again.']));
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining({ type: 'turn-end', code: 'time-out' })));
});

test('a reply is sent again until the platform takes it, and not after a refusal for good', async () => {
  const service = await startService();
  const client = new PipeClient();
  const send = vi.spyOn(client, 'sendMessage');
  send.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down'));
  const { events } = await runAgent(service, { clients: [client], model: echo });
  client.say('a');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: a']));
  send.mockRejectedValueOnce(new RefusedReply('blocked'));
  client.say('b');
  client.say('c');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: a', 'You: c']));
  expect(events.filter(({ type }) => type === 'reply-error')).toHaveLength(3);
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn-end', code: 'not-sent' }));
});

test('a message that `accept` refuses leaves no trace; an error refuses too', async () => {
  const service = await startService();
  const client = new PipeClient();
  const accept = ({ userId }: { userId: string }) => {
    if (userId === 'eve') throw new Error('who?');
    return userId === 'ann';
  };
  const { events } = await runAgent(service, { clients: [client], model: echo, accept });
  client.say('a', { userId: 'eve' });
  client.say('b', { userId: 'bob' });
  client.say('c');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: c']));
  expect(events).toContainEqual({ type: 'handler-error', handler: 'accept', error: new Error('who?') });
});

test('a change of a prompt or a model holds from the next step on', async () => {
  const service = await startService();
  const client = new PipeClient();
  const model: AskModel = async ({ model: name, messages }) => say(`${name}: ${messageText(messages[0] ?? { role: 'system' })}`);
  const { agent } = await runAgent(service, { clients: [client], model, store: storePath() });
  agent.setPrompt('system', 'At {{client_id}}/{{chat_id}} {{{date}} {{other}}');
  agent.setModel('default', 'some/model');
  client.say('a');
  const date = new Date().toISOString().slice(0, 10);
  await vi.waitFor(() => expect(client.texts()).toEqual([`some/model: At pipe/chat {${date} {{other}}`]));
});

test('a model that makes thousands of calls in one message runs 32 of them', async () => {
  const service = await startService();
  let runs = 0;
  await service.toolkit('kit', (toolkit) => toolkit.action({ action: 'look', actionDescription: 'Looks' }, () => ++runs));
  const client = new PipeClient();
  const model: AskModel = async ({ messages }) => {
    const results = newestResults(messages);
    const refused = results.filter((result) => result.includes('"TOO_MANY_CALLS","message":"A message may have at most 32 calls.'));
    return results.length > 0
      ? say(`${refused.length} of ${results.length} refused`)
      : callActions(...Array(3_000).fill(['kit__look', {}]));
  };
  await runAgent(service, { clients: [client], model });
  client.say('look');
  await vi.waitFor(() => expect(client.texts()).toEqual(['2968 of 3000 refused']));
  expect(runs).toBe(32);
});

test('an invalid message of a client becomes an event, and the agent continues', async () => {
  const service = await startService();
  const client = new PipeClient();
  const { events } = await runAgent(service, { clients: [client], model: echo });
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const wrong: [members: object, problem: string][] = [
    [{ message: undefined }, 'message must be a text, not undefined'],
    [{ chatId: null }, 'chatId must be a text, not null'],
    [{ userId: 7 }, 'userId must be a text, not number'],
    [{ messageId: 7 }, 'messageId must be a text, not number'],
    [{ userName: {} }, 'userName must be a text, not object'],
    [{ images: 'data:' }, 'images must be a list of data URLs'],
    [{ answer: { approved: true } }, 'answer must be { questionId, approved }'],
    [{ address: 1n }, 'it must be JSON: it is stored'],
    [{ address: cyclic }, 'it must be JSON: it is stored'],
  ];
  for (const [members] of wrong) client.say('hi', members);
  client.say('hello');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: hello']));
  const errors = events.flatMap((event) => (event.type === 'message-error' ? [`${event.clientId}: ${event.error.message}`] : []));
  expect(errors).toEqual(wrong.map(([, problem]) => `pipe: The client pipe returned a message that is left out: ${problem}`));
});

test('a failure that its handler calls retryable is retried under the key of its place in the turn', async () => {
  const service = await startService();
  const keys: string[] = [];
  await service.toolkit('shop', (toolkit) =>
    toolkit.action({ action: 'buy', actionDescription: 'Buys' }, (ctx) => {
      keys.push(ctx.idempotencyKey);
      return keys.length === 1 ? ctx.error('BUSY', 'later', { retryable: true, retryAfterMs: 0 }) : 'bought';
    }),
  );
  const client = new PipeClient();
  const model: AskModel = async ({ messages }) => {
    const [result] = newestResults(messages);
    return result === undefined ? callActions(['shop__buy', {}]) : say(result);
  };
  await runAgent(service, { clients: [client], model });
  client.say('Buy it');
  await vi.waitFor(() => expect(client.texts()).toEqual(['bought']));
  expect(keys).toEqual([expect.stringMatching(/\/\d+\/\d+$/), keys[0]]);
});
