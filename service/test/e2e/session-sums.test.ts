/** Sums of sessions and end users: what was sent is what the lists say, and members see that of their own keys. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationDetail, type SessionPage, type Spending } from '#sdk/protocol/admin';
import { type CreatedKey, HEADERS, PATHS } from '#sdk/protocol/http';
import type { SessionsPage, UserDetail, UsersPage } from '#sdk/protocol/session-schemas';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { AGENT, sellAtMost5Cents } from '../../../test/support/paid-shop';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const sessionsOf = ({ json }: Asker, query = '') => json<SessionsPage>('GET', `${ADMIN_PATHS.sessions}?${query}`);
const usersOf = ({ json }: Asker, query = '') => json<UsersPage>('GET', `${ADMIN_PATHS.users}?${query}`);
const idsOf = async (asker: Asker, query: string) => (await sessionsOf(asker, query)).items.map(({ session }) => session);

async function openShop() {
  const service = await startConsole();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  await service.toolkit('shop', (shop) => {
    sellAtMost5Cents(shop);
    shop.action({ action: 'look', actionDescription: 'Looks at a thing in the shop', payloadDescription: {} }, () => 'nice');
  });
  const { key, id } = await service.keys.create(AGENT);
  const tools = (sessionId: string, userId?: string) =>
    new Tools({ baseUrl: service.url, apiKey: key, sessionId, ...(userId !== undefined && { userId }) });
  return { ...service, key, keyId: id, tools };
}

/** Three conversations, of two users. */
async function converse(tools: Awaited<ReturnType<typeof openShop>>['tools']) {
  const buying = tools('buying', 'ada');
  await buying.search('look at a thing in the shop');
  await buying.invoke('shop__look');
  await buying.invoke('shop__sell', { cost: '0.03' });
  const failing = tools('failing', 'ada');
  await failing.search('zxqv');
  await failing.invoke('shop__sell', { cost: '0.02' });
  await failing.answerTool('shop__sell', { cost: '0.05', fails: true });
  await failing.answerTool('shop__burn', {});
  await tools('looking', 'bob').invoke('shop__look');
}

test('each conversation has its searches, calls, errors and cost, and each user has their sums', async () => {
  const { owner, keyId, tools } = await openShop();
  await converse(tools);

  const { items, currency } = await sessionsOf(owner, 'sort=cost');
  expect(currency).toBe('USD');
  const nothing = { searches: 0, inVain: 0, errors: 0, cost: '0', tokens: { input: 0, cached: 0, output: 0 } };
  const key = { id: keyId, name: AGENT.name };
  expect(items).toMatchObject([
    { session: 'buying', key, user: 'ada', ...nothing, searches: 1, calls: 2, cost: '0.03', lastCode: 'OK' },
    { session: 'failing', key, user: 'ada', ...nothing, searches: 1, inVain: 1, calls: 3, errors: 2, cost: '0.02' },
    { session: 'looking', key, user: 'bob', ...nothing, calls: 1, lastCode: 'OK' },
  ]);
  expect((await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/failing`)).sums).toEqual([items[1]]);

  expect((await usersOf(owner, 'sort=calls')).items).toMatchObject([
    { user: 'ada', sessions: 2, ...nothing, searches: 2, inVain: 1, calls: 5, errors: 2, cost: '0.05' },
    { user: 'bob', sessions: 1, ...nothing, calls: 1 },
  ]);
  const ada = await owner.json<UserDetail>('GET', `${ADMIN_PATHS.users}/ada`);
  expect(ada).toMatchObject({ sessions: 2, calls: 5, cost: '0.05', currency: 'USD', models: [] });
  const spent = async (by: string) =>
    (await owner.json<Spending>('GET', `${ADMIN_PATHS.spending}?by=${by}`)).items.map(({ id, charged, calls }) => [id, charged, calls]);
  expect(await spent('session')).toEqual([
    ['buying', '0.03', 1],
    ['failing', '0.02', 2],
  ]);
  expect(await spent('user')).toEqual([['ada', '0.05', 3]]);
  expect(ada.days.map(({ calls, cost }) => [calls, cost])).toEqual([[5, '0.05']]);
  await expect(owner.json('GET', `${ADMIN_PATHS.users}/eve`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('sessions are filtered, sorted and paged, and a wrong question gets a clear answer', async () => {
  const { owner, keyId, tools } = await openShop();
  await converse(tools);
  expect(await idsOf(owner, 'sort=calls&order=asc')).toEqual(['looking', 'buying', 'failing']);
  expect(await idsOf(owner, 'inVain=true')).toEqual(['failing']);
  expect(await idsOf(owner, 'outcome=endedInError')).toEqual(['failing']);
  expect(await idsOf(owner, 'outcome=ok&sort=calls')).toEqual(['buying', 'looking']);
  expect(await idsOf(owner, 'dearerThan=0.02')).toEqual(['buying']);
  expect(await idsOf(owner, 'text=LOOK')).toEqual(['looking']);
  expect(await idsOf(owner, 'user=ada&sort=errors')).toEqual(['failing', 'buying']);
  expect(await idsOf(owner, `key=${keyId}&user=bob`)).toEqual(['looking']);
  expect(await idsOf(owner, `from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).toEqual([]);

  const first = await sessionsOf(owner, 'sort=cost&limit=2');
  const second = await sessionsOf(owner, `sort=cost&limit=2&cursor=${first.nextCursor}`);
  expect([...first.items, ...second.items].map(({ session }) => session)).toEqual(['buying', 'failing', 'looking']);
  expect(second.nextCursor).toBeUndefined();
  const users = await usersOf(owner, 'sort=calls&limit=1');
  expect((await usersOf(owner, `sort=calls&limit=1&cursor=${users.nextCursor}`)).items).toMatchObject([{ user: 'bob' }]);

  for (const query of ['cursor=bm9uc2Vuc2U', 'cursor=WyJ4Il0', 'sort=name', 'dearerThan=much', 'outcome=bad'])
    await expect(sessionsOf(owner, query), query).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a member sees sessions and users of their own keys only', async () => {
  const { owner, tools, url, join } = await openShop();
  await converse(tools);
  const ben = await join('ben');
  expect(await sessionsOf(ben)).toMatchObject({ items: [] });
  expect(await usersOf(ben)).toMatchObject({ items: [] });
  await expect(ben.json('GET', `${ADMIN_PATHS.users}/ada`)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const { key } = await ben.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'his' });
  await new Tools({ baseUrl: url, apiKey: key, sessionId: 'buying', userId: 'ada' }).invoke('shop__look');
  expect((await sessionsOf(ben)).items).toMatchObject([{ session: 'buying', user: 'ada', calls: 1, cost: '0' }]);
  expect(await ben.json('GET', `${ADMIN_PATHS.users}/ada`)).toMatchObject({ calls: 1, sessions: 1, cost: '0' });
  expect((await sessionsOf(owner, 'text=buying&sort=calls')).items.map(({ calls }) => calls)).toEqual([2, 1]);
});

test('the record of a call has the trace that its caller names, with a link where the service knows the address', async () => {
  const { owner, url, key } = await openShop();
  const call = async () => {
    const headers = { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, [HEADERS.sessionId]: 'traced' };
    const answer = await fetch(url + PATHS.invoke, { method: 'POST', headers, body: JSON.stringify({ action: 'shop__look' }) });
    expect(answer.status).toBe(200);
    const { entries } = await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/traced`);
    const last = entries.at(-1);
    return owner.json<InvocationDetail>('GET', `${ADMIN_PATHS.invocations}/${last?.kind === 'call' ? last.call.id : ''}`);
  };
  const record = await call();
  expect(record.trace).toEqual({ id: TRACE });
  expect(record.timeline.map(({ what }) => what)).toEqual(['received', 'claimed', 'sent', 'ended']);
  await expect(owner.json('PATCH', ADMIN_PATHS.settings, { traceUrl: 'javascript:alert({traceId})' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('write an http or https address with {traceId} in it'),
  });
  await owner.json('PATCH', ADMIN_PATHS.settings, { traceUrl: 'https://jaeger.example/trace/{traceId}' });
  expect((await call()).trace).toEqual({ id: TRACE, url: `https://jaeger.example/trace/${TRACE}` });
});
