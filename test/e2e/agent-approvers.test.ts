/** Questions of the service in chats of approvers, with buttons. */
import { Tools } from 'svc-sdk';
import { Agent, type AgentOptions, type AskModel, type MessageContext, type Question } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { expect, test, vi } from 'vitest';
import type { PipeClient } from '../support/agent';
import { ButtonClient } from '../support/button-client';
import { startOrders } from '../support/orders';
import { runAgent, say, storePath } from '../support/run-agent';
import { openTelegram } from '../support/telegram';

const model: AskModel = async () => say('Hello');

async function startApprovers({ decidedBy = 'people', client = new ButtonClient() as PipeClient, ...more }: ApproverOptions = {}) {
  const orders = await startOrders(decidedBy);
  const store = storePath();
  const approvals = { apiKey: orders.adminKey, chats: [{ client: 'pipe', chatId: 'boss', users: ['ada'] }], pollMs: 20 };
  const options = { clients: [client], model, store, approvals, ...more };
  const agent = await runAgent(orders.service, options);
  const tools = new Tools({ apiKey: orders.apiKey, baseUrl: orders.service.url });
  const press = (questionId: string, approved: boolean, ctx: Partial<MessageContext> = {}) =>
    client.say('', { chatId: 'boss', userId: 'ada', userName: 'Ada', answer: { questionId, approved }, ...ctx });
  const call = (payload: object = { id: 7 }) => tools.invoke('orders__delete', payload).catch((error: unknown) => error);
  return { ...orders, ...agent, client, options, tools, press, call };
}

interface ApproverOptions extends Pick<AgentOptions, 'owners'> {
  decidedBy?: 'people' | 'app';
  client?: PipeClient;
}

/** An open question, shown in the chat. */
async function shownQuestion({ client = new ButtonClient(), ...more }: ApproverOptions & { client?: ButtonClient } = {}) {
  const stage = await startApprovers({ client, ...more });
  await stage.call();
  const question = await vi.waitUntil(() => client.asked[0], { timeout: 20_000 });
  return { ...stage, client, question };
}

test('the whole call is shown with buttons, and a yes of a listed person runs it', async () => {
  const { client, question, press, call, deleted } = await shownQuestion();
  expect(question.text).toMatch(/^May "shop agent" run this\?\nUntil \S+\n\norders__delete \{"id":7\}$/);
  press(question.id, true);
  await vi.waitFor(() => expect(client.ended).toEqual([[{ id: 'question-1' }, `${question.text}\nApproved by Grace.`]]));
  expect(await call()).toMatchObject({ result: 'deleted 7' });
  expect(deleted).toEqual([7]);
});

test('a no refuses the call, with the name of the person as its reason', async () => {
  const { client, question, press, call, deleted } = await shownQuestion();
  press(question.id, false);
  await vi.waitFor(() => expect(client.ended[0]?.[1]).toContain('Denied by Grace.'));
  expect(await call()).toMatchObject({ code: 'APPROVAL_DENIED', details: { approval: { reason: 'Denied in a chat by Ada' } } });
  expect(deleted).toEqual([]);
});

test.each([
  ['of somebody else', { userId: 'eve' }],
  ['in another chat', { chatId: 'other' }],
])('a press %s decides nothing', async (_what, ctx) => {
  const { question, press, list, client } = await shownQuestion();
  press(question.id, true, ctx);
  press('apr_unknown', true);
  client.say('hi');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Hello']));
  expect(await list()).toMatchObject([{ status: 'pending' }]);
});

test('an owner of the agent may press', async () => {
  const { question, press, list } = await shownQuestion({ owners: ['pipe/boss'] });
  press(question.id, true, { userId: 'boss' });
  await vi.waitFor(async () => expect((await list())[0]?.status).not.toBe('pending'));
});

test('a question that is decided elsewhere loses its buttons, also after a restart', async () => {
  const { client, question, decide, stop, service, options } = await shownQuestion();
  await stop();
  await decide({ decision: 'deny' });
  await runAgent(service, options);
  await vi.waitFor(() => expect(client.ended).toEqual([[{ id: 'question-1' }, `${question.text}\nDenied by Grace.`]]));
  expect(client.asked).toHaveLength(1);
});

test('a question that an app asks its own user is not shown, and neither are those of other keys', async () => {
  const own = await startApprovers({ decidedBy: 'app' });
  await own.call();
  const { client, call, options, stop, service } = await startApprovers();
  await stop();
  await call();
  const approvals = { ...options.approvals, keys: ['key_other'] };
  await runAgent(service, { ...options, approvals });
  for (const one of [own.client, client]) {
    one.say('hi');
    await vi.waitFor(() => expect(one.texts()).toEqual(['Hello']));
    expect((one as ButtonClient).asked).toEqual([]);
  }
});

test('a call that is too long for a chat is not shortened: it has no buttons, and says where to decide', async () => {
  const { client, call } = await startApprovers();
  await call({ id: 7, note: 'x'.repeat(30_000) });
  await vi.waitFor(() => expect(client.texts('boss')).toHaveLength(1));
  expect(client.texts('boss')[0]).toMatch(
    /orders__delete\nThe payload has 30\d{3} characters, too many for a chat.*svc-sdk approvals show apr_/s,
  );
  expect((client as ButtonClient).asked).toEqual([]);
});

test('an admin key that the service refuses is reported once', async () => {
  const { service } = await startOrders('people');
  const chats = [{ client: 'pipe', chatId: 'boss', users: ['ada'] }];
  const approvals = { apiKey: `svc_admin_${'x'.repeat(43)}`, chats, pollMs: 5 };
  const client = new ButtonClient();
  const { events } = await runAgent(service, { clients: [client], model, approvals });
  const errors = () => events.filter(({ type }) => type === 'approvals-error');
  await vi.waitFor(() => expect(errors()).toMatchObject([{ error: { code: 'INVALID_KEY' } }]));
  for (const text of ['one', 'two']) {
    client.say(text);
    await vi.waitFor(() => expect(client.texts()).toHaveLength(text === 'one' ? 1 : 2));
  }
  expect(errors()).toHaveLength(1);
});

test('a client that never answers does not hold the end of the agent', async () => {
  class HangingClient extends ButtonClient {
    override askApproval(_ctx: MessageContext, question: Question): Promise<unknown> {
      this.asked.push(question);
      return new Promise(() => {});
    }
  }
  const { stop } = await shownQuestion({ client: new HangingClient() });
  await stop();
});

test('approvals without an admin key, or without people who may press, are refused', async () => {
  const chats = [{ client: 'pipe', chatId: 'boss' }];
  expect(() => new Agent({ approvals: { apiKey: 'svc_agent_x', chats } })).toThrow(/admin key/);
  expect(() => new Agent({ approvals: { apiKey: 'svc_admin_x', chats } })).toThrow(/Chat boss of pipe has no person who may decide/);
});

test('on Telegram a long call comes in several messages, the last with the buttons', async () => {
  const fake = await openTelegram();
  const client = new TelegramClient(fake.clientOptions);
  const orders = await startOrders('people');
  const chats = [{ client: client.clientId, chatId: '1001', users: ['1001'] }];
  await runAgent(orders.service, { clients: [client], model, approvals: { apiKey: orders.adminKey, chats, pollMs: 20 } });
  await fake.say({ chatId: '1001', text: 'hi' });
  await vi.waitFor(() => expect(fake.sent).toHaveLength(1));
  const tools = new Tools({ apiKey: orders.apiKey, baseUrl: orders.service.url });
  await expect(tools.invoke('orders__delete', { id: 7, note: 'word '.repeat(1_500) })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await vi.waitFor(() => expect(fake.sent.at(-1)).toMatchObject({ buttons: ['Yes', 'No'] }));
  expect(
    fake.sent
      .map(({ text }) => text)
      .join('')
      .match(/word/g),
  ).toHaveLength(1_500);
  await fake.press({ chatId: '1001', button: 'yes', userId: '1001' });
  await vi.waitFor(() => expect(orders.deleted).toEqual([7]));
});
