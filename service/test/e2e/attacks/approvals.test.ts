/**
 * Attempts to run a call that no person approved: foreign approvers, forged and late decisions, retries that are another call, changed actions, and
 * handles of others. The answers of a webhook are attacked in service/test/unit/approvals/approval-webhook.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { ApprovalDetails, ApprovalsPage } from '#sdk/protocol/approval-schemas';
import type { Problem } from '#sdk/protocol/errors';
import { type CreatedKey, type CreateKeyRequest, PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { type Asker, startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { RawToolkit } from '../../../../test/support/raw-toolkit';

const CANARY = 'canary-4711';
const APPROVE = { decision: 'approve' };

interface Answer extends Problem {
  result?: unknown;
}

interface Call {
  payload?: object;
  headers?: Record<string, string>;
  /** The body as it is sent. */
  text?: string;
}

const BUY = {
  action: 'buy',
  actionDescription: 'Buys an item',
  payloadDescription: { type: 'object', properties: { item: {}, count: {} } },
};

async function stage(rule: Omit<Rule, 'match' | 'do'> = {}) {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const logged: string[] = [];
  const log = (fields: object, message?: string) => void logged.push(JSON.stringify([fields, message]));
  const logger = { info: log, warn: log, error: log };
  const service = await startConsole({ data: folder.path, logger });
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const make = (who: Asker, body: CreateKeyRequest) => who.json<CreatedKey>('POST', PATHS.keys, body);
  const rules: Rule[] = [{ match: {}, do: 'ask', ...rule }];
  const toolkitKey = await make(anna, { kind: 'toolkit', name: 'shop' });
  const agent = await make(anna, { kind: 'agent', name: 'agent', rules });
  const other = await make(anna, { kind: 'agent', name: 'other', rules });
  const toolkit = await RawToolkit.connect(service, toolkitKey.key);
  await toolkit.register([BUY]);
  const callAs =
    (key: string) =>
    async ({ payload = { item: CANARY, count: 1 }, headers = {}, text }: Call = {}): Promise<Answer> => {
      const body = text ?? { action: 'shop__buy', payload };
      return (await (await service.as(key).ask('POST', PATHS.invoke, body, { headers })).json()) as Answer;
    };
  const call = callAs(agent.key);
  const question = async (asked: Call = {}) => (await call(asked)).approval?.id ?? '';
  const statusOf = async (id: string) => (await service.owner.json<ApprovalDetails>('GET', `${PATHS.approvals}/${id}`)).status;
  const tokenOf = async ({ key }: CreatedKey, more: object = {}) =>
    (await service.as(key).json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 60, ...more })).token;
  const parts = { service, anna, ben, make, toolkitKey, agent, other, toolkit, callAs, call, question, statusOf, tokenOf, logged, folder };
  return { ...parts, runs: () => toolkit.received.filter(({ method }) => method === 'invoke').length };
}

type Stage = Awaited<ReturnType<typeof stage>>;
type Attack = [name: string, attack: (id: string, stage: Stage) => Promise<unknown>];

const decideAs =
  (key: (stage: Stage) => string | undefined | Promise<string | undefined>, body: unknown = APPROVE) =>
  async (id: string, all: Stage) =>
    all.service.as(await key(all)).ask('POST', `${PATHS.approvals}/${id}`, body);
const inSession =
  (cookieOf: (stage: Stage) => string, headers: Record<string, string>, body: BodyInit = JSON.stringify(APPROVE)) =>
  (id: string, all: Stage) =>
    fetch(`${all.service.url}${PATHS.approvals}/${id}`, { method: 'POST', headers: { cookie: cookieOf(all), ...headers }, body });
const byOwner =
  (method: string, path: (id: string) => string, body?: unknown, headers = {}) =>
  (id: string, all: Stage) =>
    all.service.owner.ask(method, path(id), body, { headers });
const here = (id: string) => `${PATHS.approvals}/${id}`;

const FOREIGNERS: Attack[] = [
  ['nobody', decideAs(() => undefined)],
  ['another member', (id, { ben }) => ben.ask('POST', here(id), APPROVE)],
  ['the agent key of the call', decideAs(({ agent }) => agent.key)],
  ['a token of the agent key', decideAs(({ agent, tokenOf }) => tokenOf(agent))],
  ['a token of the agent key for its owner', decideAs(({ agent, anna, tokenOf }) => tokenOf(agent, { userId: anna.id }))],
  ['another agent key of the same person', decideAs(({ other }) => other.key)],
  ['the toolkit that would run it', decideAs(({ toolkitKey }) => toolkitKey.key)],
  ['an agent key of another person', decideAs(async ({ make, ben }) => (await make(ben, { kind: 'agent', name: 'ben' })).key)],
  ['an invented admin key', decideAs(() => `svc_admin_${'a'.repeat(49)}`)],
  [
    'a revoked admin key',
    decideAs(async ({ make, service }) => {
      const { key, id } = await make(service.owner, { kind: 'admin', name: 'gone' });
      await service.keys.revoke(id);
      return key;
    }),
  ],
  [
    'a former owner',
    async (id, { service }) => {
      const former = await service.join('former', 'owner');
      await service.owner.json('PATCH', `${ADMIN_PATHS.people}/${former.id}`, { role: 'member' });
      return former.ask('POST', here(id), APPROVE);
    },
  ],
  ['a page of another site', inSession(({ anna }) => anna.cookie, { origin: 'https://evil.example', 'content-type': 'application/json' })],
  ['a form of another site', inSession(({ anna }) => anna.cookie, { origin: 'https://evil.example', 'content-type': 'text/plain' })],
  [
    'a form of this site',
    inSession(({ anna }) => anna.cookie, { 'content-type': 'application/x-www-form-urlencoded' }, 'decision=approve'),
  ],
];

const ODD_REQUESTS: Attack[] = [
  ['a decision in another letter case', byOwner('POST', here, { decision: 'APPROVE' })],
  ['a decision in a list', byOwner('POST', here, { decision: ['approve'] })],
  ['a decision beside unknown members', byOwner('POST', here, { ...APPROVE, payload: { item: 'other' } })],
  ['a decision with another status', byOwner('POST', here, { ...APPROVE, status: 'approved' })],
  ['a decision for a session of two days', byOwner('POST', here, { ...APPROVE, sessionSeconds: 172_800 })],
  ['a decision for a session that the call does not name', byOwner('POST', here, { ...APPROVE, sessionSeconds: 60 })],
  ['a negative time of a session', byOwner('POST', here, { ...APPROVE, sessionSeconds: -1 })],
  ['a denial with a session', byOwner('POST', here, { decision: 'deny', sessionSeconds: 60 })],
  ['a reason of a megabyte', byOwner('POST', here, { ...APPROVE, reason: 'x'.repeat(1_000_000) })],
  ['a GET', byOwner('GET', (id) => `${here(id)}?decision=approve`)],
  ['a PUT', byOwner('PUT', here, APPROVE)],
  ['a PATCH', byOwner('PATCH', here, APPROVE)],
  ['a GET with a method override', byOwner('GET', here, undefined, { 'x-http-method-override': 'POST' })],
  ['a cut id', byOwner('POST', (id) => here(id.slice(0, -1)), APPROVE)],
  ['a longer id', byOwner('POST', (id) => here(`${id}0`), APPROVE)],
  ['an id in upper case', byOwner('POST', (id) => here(id.toUpperCase()), APPROVE)],
  ['an id with a zero byte', byOwner('POST', (id) => here(`${id}%00`), APPROVE)],
  ['an id of the next millisecond', byOwner('POST', (id) => here(id.replace(/^apr_.{9}/, 'apr_zzzzzzzzz')), APPROVE)],
];

describe('a question stays as it is', () => {
  test('after decisions of everyone who may not decide', async () => {
    const all = await stage();
    const id = await all.question();
    for (const [name, attack] of FOREIGNERS) {
      const answer = (await attack(id, all)) as Response;
      expect([name, answer.ok, await all.statusOf(id)]).toEqual([name, false, 'pending']);
    }
    expect(all.runs()).toBe(0);
  });

  test('after odd requests of a person who may decide', async () => {
    const all = await stage();
    const id = await all.question();
    for (const [name, attack] of ODD_REQUESTS) {
      await attack(id, all);
      expect([name, await all.statusOf(id)]).toEqual([name, 'pending']);
    }
    expect(all.runs()).toBe(0);
  });

  test('where the app decides, after decisions of its tokens, of another app and of the toolkit', async () => {
    const all = await stage({ decidedBy: 'app' });
    const id = await all.question();
    const token = await all.tokenOf(all.agent);
    for (const key of [token, all.other.key, all.toolkitKey.key]) {
      const answer = await all.service.as(key).ask('POST', here(id), APPROVE);
      expect([answer.ok, await all.statusOf(id)]).toEqual([false, 'pending']);
    }
    expect(all.runs()).toBe(0);
  });
});

describe('no call runs', () => {
  const TRICKS: [name: string, call: (id: string) => Call][] = [
    ['with the idempotency key of the approved run', (id) => ({ headers: { 'idempotency-key': `approval/${id}` } })],
    ['with that key in another case', (id) => ({ headers: { 'idempotency-key': `Approval/${id}` } })],
    ['with the handle as its idempotency key', (id) => ({ headers: { 'idempotency-key': id } })],
    ['that prefers no wait', () => ({ headers: { prefer: 'respond-async, wait=0', 'idempotency-key': 'k' } })],
    ['that goes on without its caller', () => ({ headers: { prefer: 'respond-async', 'idempotency-key': 'k2' } })],
    ['that asks by itself', () => ({ headers: { 'svc-ask': 'always' } })],
    [
      'with an approval in its body',
      (id) => ({ text: `{"action":"shop__buy","payload":{"item":"x"},"approval":"${id}","approvalId":"${id}"}` }),
    ],
    ['with an approval in its headers', (id) => ({ headers: { 'svc-approval': id, 'svc-approval-id': id } })],
    [
      'whose action is a slip of a model',
      () => ({ text: '{"action":"invoke_service","payload":{"action":"shop__buy","payload":{"item":"x"}}}' }),
    ],
    ['whose payload is a text', () => ({ text: `{"action":"shop__buy","payload":${JSON.stringify('{"item":"x"}')}}` })],
    ['of the tool that decides', (id) => ({ text: `{"action":"svc__approve","payload":{"id":"${id}"}}` })],
    ['of the tool that reads results, with the handle', (id) => ({ text: `{"action":"svc__read_result","payload":{"handle":"${id}"}}` })],
  ];

  test('by what a model or its app writes into the call', async () => {
    const all = await stage();
    const id = await all.question();
    for (const [name, trick] of TRICKS) {
      const answer = await all.call(trick(id));
      expect([name, answer.result ?? {}, all.runs()]).toEqual([name, expect.not.objectContaining({ order: expect.anything() }), 0]);
    }
    expect(await all.statusOf(id)).toBe('pending');
  });

  const OTHERS: [name: string, other: (stage: Stage) => Promise<Answer>][] = [
    ['with another byte in its payload', ({ call }) => call({ payload: { item: `${CANARY}.`, count: 1 } })],
    ['with another type in its payload', ({ call }) => call({ payload: { item: CANARY, count: '1' } })],
    ['with a member more', ({ call }) => call({ payload: { item: CANARY, count: 1, extra: null } })],
    ['for another user', ({ call }) => call({ headers: { 'svc-user-id': 'u_2' } })],
    ['of another key', ({ callAs, other }) => callAs(other.key)()],
    ['of a token for a user', async ({ callAs, agent, tokenOf }) => callAs(await tokenOf(agent, { userId: 'u_1' }))()],
  ];

  test.each(OTHERS)('on the approval of another call: one %s', async (_, other) => {
    const all = await stage();
    const id = await all.question();
    const asked = await other(all);
    expect(asked).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(asked.approval?.id).not.toBe(id);
    await all.anna.json('POST', here(id), APPROVE);
    await expect.poll(all.runs).toBe(1);
    expect((await other(all)).approval?.id).toBe(asked.approval?.id);
    expect(all.runs()).toBe(1);
  });

  test('after a denial, however it is asked for', async () => {
    const all = await stage();
    const id = await all.question();
    await all.anna.json('POST', here(id), { decision: 'deny' });
    const again = await Promise.all(Array.from({ length: 5 }, () => all.service.owner.ask('POST', here(id), APPROVE)));
    expect(again.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
    expect((await all.call({ headers: { 'idempotency-key': 'k' } })).code).toBe('APPROVAL_DENIED');
    expect((await all.call({ text: `{ "payload" : {"item":"${CANARY}","count":1}, "action":"shop__buy" }` })).code).toBe('APPROVAL_DENIED');
    expect([all.runs(), await all.statusOf(id)]).toEqual([0, 'denied']);
  });

  const CHANGES: [name: string, action: object][] = [
    ['its schema', { ...BUY, payloadDescription: { type: 'object', properties: { item: { maxLength: 100 }, count: {} } } }],
    ['its hints', { ...BUY, annotations: { destructive: true } }],
    ['its name', { ...BUY, action: 'purchase' }],
  ];
  test.each(CHANGES)('that a person approves after its action changed %s', async (_, action) => {
    const all = await stage();
    const id = await all.question();
    await all.toolkit.register([action]);
    const late = await all.anna.ask('POST', here(id), APPROVE);
    expect([late.status, await all.statusOf(id), all.runs()]).toEqual([409, 'withdrawn', 0]);
  });

  test('that a person approves after its key lost the action, or a rule denies it', async () => {
    for (const change of [{ allow: { toolkits: ['none'] } }, { rules: [{ match: {}, do: 'deny' }] }]) {
      const all = await stage();
      const id = await all.question();
      await all.anna.json('PATCH', `${PATHS.keys}/${all.agent.id}`, change);
      const late = await all.anna.ask('POST', here(id), APPROVE);
      expect([late.status, await all.statusOf(id), all.runs()]).toEqual([409, 'withdrawn', 0]);
    }
  });
});

test('an approval runs once, however often it is approved and called', async () => {
  const all = await stage();
  const id = await all.question({ headers: { 'idempotency-key': 'k' } });
  const decisions = await Promise.all(Array.from({ length: 10 }, () => all.anna.ask('POST', here(id), APPROVE)));
  expect(decisions.filter(({ ok }) => ok)).toHaveLength(1);
  const calls = Array.from({ length: 10 }, () => all.call({ headers: { 'idempotency-key': 'k', 'svc-timeout-ms': '300' } }));
  await Promise.all(calls);
  expect(all.runs()).toBe(1);
});

test('key order and white space make no other call', async () => {
  const all = await stage();
  const id = await all.question();
  const spaced = await all.call({ text: `{ "action": "shop__buy",\n "payload": { "item" : "${CANARY}", "count" : 1.0 } }` });
  expect(spaced.approval?.id).toBe(id);
});

test('a session that a person approved frees no other session, user, key or action', async () => {
  const all = await stage();
  await all.toolkit.register([BUY, { ...BUY, action: 'sell' }]);
  const inChat = { 'svc-session-id': 'chat', 'svc-user-id': 'u_1' };
  const id = await all.question({ headers: inChat });
  await all.anna.json('POST', here(id), { ...APPROVE, sessionSeconds: 600 });
  await expect.poll(all.runs).toBe(1);
  const payload = { item: 'other' };
  const attempts: [string, Promise<Answer>][] = [
    ['another session', all.call({ payload, headers: { ...inChat, 'svc-session-id': 'chat2' } })],
    ['no session', all.call({ payload, headers: { 'svc-user-id': 'u_1' } })],
    ['another user', all.call({ payload, headers: { ...inChat, 'svc-user-id': 'u_2' } })],
    ['no user', all.call({ payload, headers: { 'svc-session-id': 'chat' } })],
    ['another key', all.callAs(all.other.key)({ payload, headers: inChat })],
    ['a token', all.callAs(await all.tokenOf(all.agent, { userId: 'u_1' }))({ payload, headers: inChat })],
    ['another action', all.call({ text: '{"action":"shop__sell","payload":{"item":"other"}}', headers: inChat })],
  ];
  for (const [name, attempt] of attempts) expect([name, (await attempt).code]).toEqual([name, 'APPROVAL_REQUIRED']);
  expect(all.runs()).toBe(1);
});

test('a handle of another key or user is unknown: not read, not followed, not cancelled', async () => {
  const all = await stage();
  const id = await all.question({ headers: { 'svc-user-id': 'u_1' } });
  const strangers = [all.other.key, await all.tokenOf(all.agent), await all.tokenOf(all.agent, { userId: 'u_1' })];
  for (const key of strangers) {
    const as = all.service.as(key);
    const results = [await as.ask('GET', `${PATHS.invocations}/${id}`), await as.ask('DELETE', `${PATHS.invocations}/${id}`)];
    expect(results.map(({ status }) => status)).toEqual([404, 404]);
    const read = await as.ask('POST', PATHS.invoke, { action: 'svc__read_result', payload: { handle: id } });
    expect(await read.text()).not.toContain(CANARY);
  }
  expect(await all.statusOf(id)).toBe('pending');
});

test('the payload of a question is in no error, log, audit, list or file', async () => {
  const all = await stage();
  const refused = await all.call({ headers: { 'svc-user-id': 'u_1' } });
  const id = refused.approval?.id ?? '';
  await all.ben.ask('POST', here(id), APPROVE);
  await all.anna.json('POST', here(id), { decision: 'deny', reason: 'no' });
  const page = await all.service.owner.json<ApprovalsPage>('GET', PATHS.approvals);
  const audit = await all.service.owner.json('GET', ADMIN_PATHS.audit);
  const shown = [refused, await all.call({ headers: { 'svc-user-id': 'u_1' } }), page, audit, all.logged];
  expect(JSON.stringify(shown)).not.toContain(CANARY);
  const files = readdirSync(all.folder.path).map((file) => readFileSync(join(all.folder.path, file)));
  expect(files.some((content) => content.includes(CANARY))).toBe(false);
});
