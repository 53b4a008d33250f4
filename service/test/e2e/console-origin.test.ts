/** Requests that people make with a key in the console: in the records with a mark, and in no rate, demand or evidence. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type InvocationDetail, type InvocationsPage, type SearchReportsPage, type SessionPage } from '#sdk/protocol/admin';
import type { StatsSeries } from '#sdk/protocol/admin-schemas';
import { type CreatedKey, HEADERS, PATHS } from '#sdk/protocol/http';
import { type Asker, type ConsoleService, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { openEvidence } from '../../src/learning/open-evidence';

const WISH = 'print my boarding pass';
const ACTION = 'travel__print';

async function stage() {
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const service = await startConsole({ data, learning: 'hashed', currency: 'EUR' });
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  await service.toolkit('travel', (toolkit) => {
    const payment = { amount: '0.25' };
    toolkit.action({ action: 'print', actionDescription: WISH, payloadDescription: {}, payment }, () => 'printed');
  });
  const budget = { perCall: '1', perDay: '5' };
  const agent = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'bot', budget, callsPerMinute: 2 });
  const evidence = await openEvidence(data);
  onTestFinished(() => evidence.close());
  return { service, agent, evidence };
}

/** A search and a call that names it, in the session `chat`. */
async function searchAndCall(asker: Asker, base: string): Promise<string> {
  const session = { [HEADERS.sessionId]: 'chat' };
  const search = await asker.ask('POST', `${base}/search`, { query: WISH }, { headers: session });
  expect(await search.json()).toMatchObject({ actions: [{ action: ACTION }] });
  const searchId = search.headers.get(HEADERS.searchId) ?? '';
  const headers = { ...session, [HEADERS.searchId]: searchId, [HEADERS.maxPayment]: '1' };
  const call = await asker.ask('POST', `${base}/invoke`, { action: ACTION, payload: {} }, { headers });
  const answer = (await call.json()) as { invocationId: string };
  expect(answer).toMatchObject({ result: 'printed' });
  return answer.invocationId;
}

async function figuresOf({ owner }: ConsoleService) {
  const { searches } = await owner.json<SearchReportsPage>('GET', ADMIN_PATHS.searches);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const { total } = await owner.json<StatsSeries>('GET', `${ADMIN_PATHS.stats}/series?from=${encodeURIComponent(from)}`);
  return { demand: searches.map(({ query, searches: count, used }) => ({ query, count, used })), calls: total.calls };
}

test('requests of a person with a key are recorded as their own, and are neither demand nor evidence nor in a rate', async () => {
  const { service, agent, evidence } = await stage();
  const { owner } = service;
  const byPerson = [];
  // Three calls and three searches, where the key may make two requests in a minute.
  for (let round = 0; round < 3; round++) byPerson.push(await searchAndCall(owner, `${PATHS.keys}/${agent.id}`));
  const byAgent = await searchAndCall(service.as(agent.key), '/v1');

  const once = { demand: [{ query: WISH, count: 1, used: 1 }], calls: 1 };
  // The figures of the agent come last, so those of the person would be there.
  await vi.waitFor(async () => expect(await figuresOf(service)).toMatchObject(once), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await evidence.summary()).toMatchObject({ records: 1 }), { timeout: 20_000 });

  const listed = async (query: string) => {
    const { invocations } = await owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?${query}`);
    return invocations.map(({ id }) => id).reverse();
  };
  expect(await listed('origin=console')).toEqual(byPerson);
  expect(await listed('origin=agent')).toEqual([byAgent]);
  expect(await listed('')).toEqual([...byPerson, byAgent]);
  expect(await owner.json<InvocationDetail>('GET', `${ADMIN_PATHS.invocations}/${byPerson[0]}`)).toMatchObject({ origin: 'console' });
  const { entries } = await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/chat`);
  const marks = entries.map((entry) => [entry.kind, entry.kind === 'call' ? entry.call.origin : entry.origin]);
  expect(marks).toEqual([
    ...byPerson.flatMap(() => [
      ['search', 'console'],
      ['call', 'console'],
    ]),
    ['search', undefined],
    ['call', undefined],
  ]);
  // Money is money: four calls are paid.
  expect(await owner.json('GET', `${ADMIN_PATHS.spending}?by=key`)).toMatchObject({ total: { charged: '1' } });
});

test('the tokens of a person are in the sums of their session, with a call or alone, and use up no rate of the key', async () => {
  const { service, agent } = await stage();
  const { owner } = service;
  const base = `${PATHS.keys}/${agent.id}`;
  const headers = (id: string) => ({ [HEADERS.sessionId]: 'chat', [HEADERS.usage]: `"m";id="${id}";input=100;cached=10;output=7` });
  for (const path of ['search', 'resolve', 'invoke']) {
    const body = path === 'search' ? { query: WISH } : { action: ACTION, payload: {} };
    expect((await owner.ask('POST', `${base}/${path}`, body, { headers: headers(path) })).status).toBe(200);
  }
  // More than the two requests that the key may make in a minute.
  for (const id of ['a', 'b', 'b', 'c']) {
    const alone = await owner.ask('POST', `${base}/usage`, undefined, { headers: headers(id) });
    expect([alone.status, await alone.text()]).toEqual([204, '']);
  }
  const refused = await owner.ask('POST', `${base}/usage`, undefined, { headers: { [HEADERS.usage]: headers('d')[HEADERS.usage] } });
  expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: 'INVALID_REQUEST' })]);
  expect((await service.as(agent.key).ask('POST', PATHS.search, { query: WISH })).status).toBe(200);
  await vi.waitFor(
    async () => {
      const { sums } = await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/chat`);
      expect(sums).toMatchObject([{ tokens: { input: 600, cached: 60, output: 42 } }]);
    },
    { timeout: 20_000 },
  );
});

test('a call of a person leaves the unmet search of the agent unmet, also by a search id of the agent', async () => {
  const { service, agent, evidence } = await stage();
  const search = await service.as(agent.key).ask('POST', PATHS.search, { query: WISH });
  const headers = { [HEADERS.searchId]: search.headers.get(HEADERS.searchId) ?? '' };
  const call = await service.owner.ask('POST', `${PATHS.keys}/${agent.id}/invoke`, { action: ACTION, payload: {} }, { headers });
  expect(call.status).toBe(200);
  await vi.waitFor(async () => expect((await figuresOf(service)).demand).toEqual([{ query: WISH, count: 1, used: 0 }]), {
    timeout: 20_000,
  });
  expect(await evidence.summary()).toMatchObject({ records: 0 });
});
