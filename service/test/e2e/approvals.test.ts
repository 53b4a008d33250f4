/** Calls that wait for a person, through a real service: asked, decided by people, programs and the app itself, and run once. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApprovalDetails, ApprovalsPage } from '#sdk/protocol/approval-schemas';
import type { Problem } from '#sdk/protocol/errors';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { type Asker, type ConsoleService, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit, startService } from '../../../test/support/service';

const ASK: Rule = { match: {}, do: 'ask' };
const APP_ASKS: Rule = { match: {}, do: 'ask', decidedBy: 'app' };

interface Answered {
  status: number;
  json: Problem & { invocationId: string; result: unknown; replayed?: boolean; status: string };
}

async function stage({ rules = [ASK], options = {} }: { rules?: Rule[]; options?: Parameters<typeof startConsole>[0] } = {}) {
  const service = await startConsole(options);
  const anna = await service.join('anna');
  const toolkit = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'shop' });
  const bought: { item: string; userId: string | undefined }[] = [];
  await runToolkit(service.url, toolkit.key, (shop) => {
    shop.action({ action: 'buy', actionDescription: 'Buys an item' }, async (ctx, { item }: { item: string }) => {
      bought.push({ item, userId: ctx.userId });
      return { order: bought.length };
    });
  });
  const agent = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'buyer', rules });
  return { service, anna, agent, bought, call: caller(service.as(agent.key)) };
}

/** Calls `shop__buy`. */
function caller(asker: Asker) {
  return async (item: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Answered> => {
    const response = await asker.ask('POST', PATHS.invoke, { action: 'shop__buy', payload: { item } }, { ...init, headers });
    return { status: response.status, json: (await response.json()) as Answered['json'] };
  };
}

const decide = (who: Asker, id: string | undefined, body: object) => who.json('POST', `${PATHS.approvals}/${id}`, body);
const listed = async (service: ConsoleService, query = '') =>
  (await service.owner.json<ApprovalsPage>('GET', `${PATHS.approvals}${query}`)).approvals;

test('a call waits for a person: refused with a handle, approved, run once, and its outcome given to the same call', async () => {
  const { service, anna, agent, bought, call } = await stage();
  const refused = await call('tea', { 'idempotency-key': 'k1', 'svc-user-id': 'u_1', 'svc-session-id': 'chat' });
  expect(refused).toMatchObject({ status: 403, json: { code: 'APPROVAL_REQUIRED', approval: { status: 'pending', isNew: true } } });
  const { id, url } = refused.json.approval ?? {};
  expect(url).toBe(`${service.url}/approvals/${id}`);
  expect(bought).toEqual([]);

  const shown = await anna.json<ApprovalDetails>('GET', `${PATHS.approvals}/${id}`);
  expect(shown).toMatchObject({
    ...{ id, status: 'pending', action: 'shop__buy', payload: { item: 'tea' }, key: { id: agent.id, name: 'buyer' } },
    ...{ user: 'u_1', session: 'chat', rule: ASK, ask: { owner: { name: 'anna' } } },
    ...{ offered: { description: 'Buys an item' }, history: { calls: expect.any(Number) } },
  });
  expect(await decide(anna, id, { decision: 'approve' })).toMatchObject({ decidedByName: 'anna' });
  await expect.poll(() => bought).toEqual([{ item: 'tea', userId: 'u_1' }]);
  const retried = await call('tea', { 'idempotency-key': 'k1', 'svc-user-id': 'u_1', 'svc-session-id': 'chat' });
  expect(retried).toMatchObject({ status: 200, json: { result: { order: 1 } } });
  await vi.waitFor(async () => expect(await listed(service)).toMatchObject([{ id, status: 'used', invocationId: expect.any(String) }]));
  expect((await call('tea', { 'svc-user-id': 'u_1' })).json.code).toBe('APPROVAL_REQUIRED');
  expect(bought).toHaveLength(1);
});

test('equal calls that wait all get the result of one run, as soon as it is approved', async () => {
  const { anna, bought, call, service } = await stage();
  const waiting = Array.from({ length: 5 }, (_, index) => call('tea', { prefer: 'wait=30', 'idempotency-key': `k${index}` }));
  await vi.waitFor(async () => expect(await listed(service)).toHaveLength(1));
  const [approval] = await listed(service);
  await decide(anna, approval?.id, { decision: 'approve' });
  for (const { status, json } of await Promise.all(waiting)) expect([status, json.result]).toEqual([200, { order: 1 }]);
  expect(bought).toHaveLength(1);
});

test('an approved call runs although its caller has left, and its handle gives the result', async () => {
  const { anna, bought, call, service, agent } = await stage();
  const leaving = new AbortController();
  const left = call('tea', { prefer: 'wait=30' }, { signal: leaving.signal }).catch(() => 'left');
  await vi.waitFor(async () => expect(await listed(service)).toHaveLength(1));
  const [approval] = await listed(service);
  leaving.abort();
  expect(await left).toBe('left');
  await decide(anna, approval?.id, { decision: 'approve' });
  await expect.poll(() => bought).toHaveLength(1);
  const followed = await service.as(agent.key).json('GET', `${PATHS.invocations}/${approval?.id}?wait=30`);
  expect(followed).toMatchObject({ result: { order: 1 } });
});

test('an approved call with the credential of its caller runs with the same call again, and its handle says so', async () => {
  const { service, anna, agent } = await stage();
  const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'mail' });
  const mail = await runToolkit(service.url, key, (toolkit) => {
    toolkit.action({ action: 'send', actionDescription: 'Sends a mail' }, () => 'sent');
  });
  await mail.updateToolkit({ auth: { type: 'bearer', from: 'caller' } });
  const app = service.as(agent.key);
  const headers = { 'svc-connections': 'mail Bearer t-1', 'idempotency-key': 'k1' };
  const send = async () => (await app.ask('POST', PATHS.invoke, { action: 'mail__send', payload: {} }, { headers })).json();
  const read = async (handle: string) =>
    (await app.json<{ result: object }>('POST', PATHS.invoke, { action: 'svc__read_result', payload: { handle } })).result;

  const { approval } = (await send()) as Problem;
  const handle = approval?.id ?? '';
  expect(await read(handle)).toMatchObject({ status: 'waiting', message: expect.stringContaining('has to approve') });
  await decide(anna, handle, { decision: 'approve' });
  expect(await read(handle)).toMatchObject({ status: 'waiting', message: expect.stringContaining('make the same call again') });
  expect(await send()).toMatchObject({ result: 'sent' });
  expect(await read(handle)).toMatchObject({ status: 'waiting', message: expect.stringContaining('ran with its caller') });
});

test('a denied call is refused with the reason, also by its handle, and nothing runs', async () => {
  const { anna, bought, call, service, agent } = await stage();
  const waiting = call('tea', { prefer: 'wait=30' });
  await vi.waitFor(async () => expect(await listed(service)).toHaveLength(1));
  const [approval] = await listed(service);
  await decide(anna, approval?.id, { decision: 'deny', reason: 'too dear' });
  for (const { status, json } of [await waiting, await call('tea')])
    expect([status, json.code, json.approval?.reason]).toEqual([403, 'APPROVAL_DENIED', 'too dear']);
  await expect(service.as(agent.key).json('GET', `${PATHS.invocations}/${approval?.id}`)).rejects.toMatchObject({
    code: 'APPROVAL_DENIED',
  });
  await expect(decide(anna, approval?.id, { decision: 'approve' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('was denied by anna'),
  });
  expect(bought).toEqual([]);
});

test('the app decides with its own key where its rule says so, and never with a token', async () => {
  const { service, bought, call, agent } = await stage({ rules: [APP_ASKS] });
  const { json } = await call('tea');
  expect(json.approval).toMatchObject({ decidedBy: 'app' });
  const app = service.as(agent.key);
  const { token } = await app.json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 60 });
  await expect(decide(service.as(token), json.approval?.id, { decision: 'approve' })).rejects.toMatchObject({ code: 'WRONG_KEY_KIND' });
  await decide(app, json.approval?.id, { decision: 'approve' });
  await expect.poll(() => bought).toHaveLength(1);
  expect((await service.owner.json<{ entries: object[] }>('GET', '/v1/audit')).entries[0]).toMatchObject({
    what: 'approval.approve',
    actor: { kind: 'key', name: 'buyer' },
  });
});

test('an approval for a session frees its later calls of the action, until a person ends it', async () => {
  const { anna, bought, call, service } = await stage();
  const inChat = { 'svc-session-id': 'chat', prefer: 'wait=30' };
  const waiting = call('tea', inChat);
  await vi.waitFor(async () => expect(await listed(service)).toHaveLength(1));
  const [approval] = await listed(service);
  await decide(anna, approval?.id, { decision: 'approve', sessionSeconds: 600 });
  expect((await waiting).status).toBe(200);
  expect((await call('milk', inChat)).status).toBe(200);
  expect((await call('milk', { 'svc-session-id': 'other' })).json.code).toBe('APPROVAL_REQUIRED');
  expect(await listed(service, '?standing=true')).toMatchObject([{ id: approval?.id, sessionUntil: expect.any(String) }]);
  await anna.json('DELETE', `${PATHS.approvals}/${approval?.id}`);
  expect((await call('water', { 'svc-session-id': 'chat' })).json.code).toBe('APPROVAL_REQUIRED');
  expect(bought.map(({ item }) => item)).toEqual(['tea', 'milk']);
});

test('a question is withdrawn within seconds when its key is revoked', async () => {
  const { anna, agent, call, service } = await stage();
  await call('tea');
  await anna.json('DELETE', `${PATHS.keys}/${agent.id}`);
  await vi.waitFor(async () => expect(await listed(service)).toMatchObject([{ status: 'withdrawn' }]), { timeout: 5_000 });
});

test('a member sees and decides the questions of their own keys alone', async () => {
  const { service, call } = await stage();
  const ben = await service.join('ben');
  const { json } = await call('tea');
  expect(await ben.json('GET', PATHS.approvals)).toEqual({ approvals: [] });
  await expect(ben.json('GET', `${PATHS.approvals}/${json.approval?.id}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(decide(ben, json.approval?.id, { decision: 'approve' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('questions and approved calls survive a restart', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { service, agent, call } = await stage({ options: { data: folder.path } });
  const { json } = await call('tea', { 'idempotency-key': 'k1' });
  const admin = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'admin', name: 'admin' });
  const toolkit = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'again', toolkit: 'shop' });
  await service.close();
  const again = await startAgain(folder.path);
  await decide(again.as(admin.key), json.approval?.id, { decision: 'approve' });
  let runs = 0;
  await runToolkit(again.url, toolkit.key, (shop) => {
    shop.action({ action: 'buy', actionDescription: 'Buys an item' }, () => ({ order: ++runs }));
  });
  const retried = await caller(again.as(agent.key))('tea', { 'idempotency-key': 'k1', prefer: 'wait=30' });
  expect(retried).toMatchObject({ status: 200, json: { result: { order: 1 } } });
  expect(runs).toBe(1);
});

/** The service on the data of before. */
async function startAgain(data: string) {
  const service = await startService({ data });
  const as = (key: string): Asker => {
    const ask: Asker['ask'] = (method, path, body, init = {}) =>
      fetch(service.url + path, {
        ...init,
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
        body: body === undefined ? null : JSON.stringify(body),
      });
    return {
      ask,
      async json(method, path, body) {
        const response = await ask(method, path, body);
        const answer = await response.json();
        if (!response.ok) throw new Error(JSON.stringify(answer));
        return answer;
      },
    };
  };
  return { url: service.url, as };
}

test('a rule that goes makes no second run of what it asked about, approved or not', async () => {
  const { anna, agent, bought, call, service } = await stage();
  const approved = await call('tea', { 'idempotency-key': 'k1' });
  const waiting = await call('milk', { 'idempotency-key': 'k2' });
  await decide(anna, approved.json.approval?.id, { decision: 'approve' });
  await expect.poll(() => bought.length).toBe(1);
  await anna.json('PATCH', `${PATHS.keys}/${agent.id}`, { rules: null });
  expect((await call('tea', { 'idempotency-key': 'k1' })).json.result).toEqual({ order: 1 });
  expect((await call('milk', { 'idempotency-key': 'k2' })).json.result).toEqual({ order: 2 });
  const late = await anna.ask('POST', `${PATHS.approvals}/${waiting.json.approval?.id}`, { decision: 'approve' });
  expect(late.status).toBe(409);
  expect(await listed(service)).toMatchObject([{ status: 'withdrawn' }, { status: 'used' }]);
  expect((await call('tea', { 'idempotency-key': 'k3' })).json.result).toEqual({ order: 3 });
  expect(bought.map(({ item }) => item)).toEqual(['tea', 'milk', 'tea']);
});
