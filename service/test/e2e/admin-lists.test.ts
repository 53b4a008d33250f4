/** Lists that are searched, filtered, ordered and paged by the service; and what removes a toolkit from them. */
import { Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ActionSummariesPage,
  ADMIN_PATHS,
  type AuditPage,
  type OwnedKeysPage,
  type RemovedToolkit,
  type StatsNow,
  type ToolkitReport,
  type ToolkitReportsPage,
} from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { silentLogger } from '../../src/lib/logger';
import { openStore } from '../../src/store/open-store';
import { seedCalls, seedToolkits, TOOLKITS } from '../support/marketplace';

const REPORTS = `${ADMIN_PATHS.reports}/toolkits`;

async function startMarketplace() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const store = await openStore({ data: folder.path, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  await seedToolkits(store);
  await seedCalls(store);
  await store.close();
  return startConsole({ data: folder.path });
}

const toolkits = ({ json }: Asker, query = '') => json<ToolkitReportsPage>('GET', `${REPORTS}?${query}`);
const idsOf = (page: ToolkitReportsPage) => page.toolkits.map(({ id }) => id);

test('a search finds every toolkit that fits, not only those of the first page, and counts them', async () => {
  const { owner, ...service } = await startMarketplace();
  const found = await toolkits(owner, 'q=Invoices&limit=200');
  expect(found.toolkits).toHaveLength(20);
  expect(found.counts).toEqual({ all: 20, online: 0, offline: 20 });
  expect((await toolkits(owner, 'q=works%20with%20invoices%20PAYROLL')).toolkits.map(({ id }) => id)).toEqual(['payroll-invoices']);

  await service.toolkit('accounting invoices', (toolkit) => {
    toolkit.action({ action: 'find', actionDescription: 'Finds an invoice by its number', payloadDescription: {} }, () => 1);
  });
  expect((await toolkits(owner, 'q=invoices')).counts).toEqual({ all: 21, online: 1, offline: 20 });
  expect(idsOf(await toolkits(owner, 'q=invoices&state=online'))).toEqual(['accounting-invoices-2']);
});

test('each order pages through all of them, each once', async () => {
  const { owner } = await startMarketplace();
  for (const asked of [
    '',
    'sort=name&order=desc',
    'sort=calls&order=desc',
    'sort=errors&order=desc',
    'sort=lastSeen',
    'sort=mine',
    'sort=use',
  ]) {
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = await toolkits(owner, `${asked}&limit=100${cursor && `&cursor=${cursor}`}`);
      expect(page.counts.all).toBe(TOOLKITS);
      ids.push(...idsOf(page));
      cursor = page.nextCursor ?? '';
    } while (cursor);
    expect(new Set(ids).size, asked).toBe(TOOLKITS);
    expect(ids, asked).toHaveLength(TOOLKITS);
  }
  const calls = (await toolkits(owner, 'sort=calls&order=desc')).toolkits.map(({ day }) => day?.calls ?? 0);
  expect(calls).toEqual(calls.toSorted((a, b) => b - a));
  expect(calls[0]).toBeGreaterThan(0);
  const p95 = (await toolkits(owner, 'sort=p95&order=desc')).toolkits.map(({ day }) => day?.p95Ms ?? -1);
  expect(p95).toEqual(p95.toSorted((a, b) => b - a));
});

test('by use: the toolkits online come first, then those with the most calls, and of these the ones that succeed', async () => {
  const service = await startConsole();
  const agent = service.as((await service.keys.create({ kind: 'agent', name: 'agent' })).key);
  const serve = (name: string) =>
    service.toolkit(name, (toolkit) => {
      toolkit.action({ action: 'run', actionDescription: 'Runs' }, (_context, { fail }: { fail?: boolean }) => {
        if (fail) throw new Error('failed');
        return 1;
      });
    });
  for (const name of ['aardvark', 'beaver', 'camel']) await serve(name);
  const gone = await serve('dodo');
  const call = async (toolkit: string, times: number, payload = {}) => {
    for (let count = 0; count < times; count++) await agent.ask('POST', PATHS.invoke, { action: `${toolkit}__run`, payload });
  };
  await call('dodo', 4);
  await call('camel', 2);
  await call('beaver', 1, { fail: true });
  await call('beaver', 1);
  await gone.stop();
  const order = ['camel', 'beaver', 'aardvark', 'dodo'];
  await expect.poll(async () => idsOf(await toolkits(service.owner, 'sort=use'))).toEqual(order);
  const listed = async (query: string) => {
    const answer = (await (await agent.ask('GET', `${PATHS.toolkits}?${query}`)).json()) as {
      toolkits: { id: string }[];
      nextCursor?: string;
    };
    return [answer.toolkits.map(({ id }) => id), answer.nextCursor];
  };
  expect(await listed('sort=use')).toEqual([order, undefined]);
  expect(await listed('sort=use&limit=2')).toEqual([['camel', 'beaver'], 'beaver']);
  expect(await listed('sort=use&limit=2&cursor=beaver')).toEqual([['aardvark', 'dodo'], undefined]);
  expect(await listed('')).toEqual([['aardvark', 'beaver', 'camel', 'dodo'], undefined]);
});

test('actions are suggested by any part of their id', async () => {
  const { owner } = await startMarketplace();
  const found = await owner.json<ActionSummariesPage>('GET', `${ADMIN_PATHS.reports}/actions?q=payroll%20find&limit=3`);
  expect(found.total).toBe(10);
  expect(found.actions[0]).toMatchObject({ action: 'payroll-agreements__find_agreements', toolkit: 'payroll-agreements', online: false });
  expect(found.nextCursor).toBe(found.actions[2]?.action);
});

test('keys are searched, filtered and paged; without a question the list is as it was', async () => {
  const { owner, ...service } = await startConsole();
  for (let number = 1; number <= 5; number++) await service.keys.create({ kind: 'agent', name: `robot ${number}` });
  const weather = await service.keys.create({ kind: 'toolkit', name: 'Weather' });
  await service.keys.revoke(weather.id);
  const keys = (query = '') => owner.json<OwnedKeysPage>('GET', `${PATHS.keys}?${query}`);
  const namesOf = (page: OwnedKeysPage) => page.keys.map(({ name }) => name);

  expect(namesOf(await keys()).sort()).toEqual(['Weather', 'robot 1', 'robot 2', 'robot 3', 'robot 4', 'robot 5']);
  expect(namesOf(await keys('state=revoked'))).toEqual(['Weather']);
  expect(namesOf(await keys('q=WEATHER&kind=agent'))).toEqual([]);
  const robots: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await keys(`q=robot&state=active&limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.total).toBe(5);
    robots.push(...namesOf(page));
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  expect(robots.sort()).toEqual(['robot 1', 'robot 2', 'robot 3', 'robot 4', 'robot 5']);
});

test('keys are sorted by the service, over all pages, and show the calls of the day', async () => {
  const { owner, ...service } = await startConsole();
  const idle = await service.keys.create({ kind: 'agent', name: 'idle', expiresInDays: 2 });
  const busy = await service.keys.create({ kind: 'agent', name: 'busy', expiresInDays: 9 });
  await service.keys.create({ kind: 'agent', name: 'another' });
  const tools = new Tools({ baseUrl: service.url, apiKey: busy.key });
  await tools.search('anything');
  await tools.invoke('nobody__home', {}).catch(() => {});
  const keys = (query: string) => owner.json<OwnedKeysPage>('GET', `${PATHS.keys}?${query}`);
  const namesOf = (page: OwnedKeysPage) => page.keys.map(({ name }) => name);

  expect(namesOf(await keys('sort=name&order=asc'))).toEqual(['another', 'busy', 'idle']);
  expect(namesOf(await keys('sort=expiry&order=asc'))).toEqual(['idle', 'busy', 'another']);
  const first = await keys('sort=name&order=asc&limit=2');
  expect(first).toMatchObject({ total: 3, nextCursor: expect.any(String) });
  expect(namesOf(await keys(`sort=name&order=asc&limit=2&cursor=${first.nextCursor}`))).toEqual(['idle']);
  expect(first.keys[0]?.day).toEqual({ calls: 0, errors: 0 });
  expect((await keys(`q=${idle.id}`)).keys[0]?.day).toBeUndefined();

  for (const wrong of ['sort=hash', 'order=up', 'cursor=nonsense', 'mine=false'])
    await expect(keys(wrong), wrong).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a toolkit was seen when a process of it was connected, whether it was called or not', async () => {
  const { owner, ...service } = await startConsole();
  const toolkit = await service.toolkit('quiet', (quiet) => {
    quiet.action({ action: 'wait', actionDescription: 'Waits for a call', payloadDescription: {} }, () => 1);
  });
  const report = (id: string) => owner.json<ToolkitReport>('GET', `${REPORTS}/${id}`);
  expect(await report('quiet')).toMatchObject({ online: true, lastSeenAt: expect.any(String) });
  const stoppedAt = Date.now();
  await toolkit.stop({ timeoutMs: 100 });
  await vi.waitFor(async () => {
    const { online, lastSeenAt = '' } = await report('quiet');
    expect(online).toBe(false);
    expect(Math.abs(Date.parse(lastSeenAt) - stoppedAt)).toBeLessThan(3_000);
  }, 5_000);
});

test('an owner removes a toolkit: it is removed from every list, its keys are revoked, and its id is free again', async () => {
  const { owner, ...service } = await startConsole();
  const define = (toolkit: { action: (action: never, handler: () => number) => unknown }) =>
    toolkit.action({ action: 'now', actionDescription: 'Tells the weather of a city now', payloadDescription: {} } as never, () => 1);
  await service.toolkit('weather', define as never);
  const tools = await service.tools();
  await tools.invoke('weather__now', {});
  const member = await service.join('max');
  const refusal = await member.ask('DELETE', `${REPORTS}/weather`);
  expect(refusal.status).toBe(403);

  const { revokedKeys } = await owner.json<RemovedToolkit>('DELETE', `${REPORTS}/weather`);
  expect(revokedKeys).toHaveLength(1);
  expect(await toolkits(owner)).toEqual({ toolkits: [], counts: { all: 0, online: 0, offline: 0 } });
  await expect(tools.invoke('weather__now', {})).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  expect((await owner.ask('DELETE', `${REPORTS}/weather`)).status).toBe(404);
  const { keys } = await owner.json<OwnedKeysPage>('GET', `${PATHS.keys}?state=revoked`);
  expect(keys.map(({ id }) => id)).toEqual(revokedKeys);
  const { entries } = await owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries[0]).toMatchObject({ what: 'toolkit.remove', subject: 'weather', details: { name: 'weather', revokedKeys } });

  await service.toolkit('weather', define as never);
  const [again] = (await toolkits(owner)).toolkits;
  expect(again).toMatchObject({ id: 'weather', online: true, actions: 1, day: { calls: 0 } });
});

test('a member gets the number of actions in the marketplace beside their own', async () => {
  const service = await startMarketplace();
  const member = await service.join('max');
  const now = await member.json<StatsNow>('GET', `${ADMIN_PATHS.stats}/now`);
  expect(now).toMatchObject({ toolkits: 0, toolkitsOnline: 0, offered: { toolkits: TOOLKITS, online: 0 } });
});

test('calls are exported as CSV and as JSON lines, filtered, and no name becomes a formula', async () => {
  const { owner, ...service } = await startConsole();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'now', actionDescription: 'Tells the weather of a city now', payloadDescription: {} }, () => 1);
  });
  const tools = await service.tools({}, { name: '=cmd("x"), "quoted"' });
  for (let count = 0; count < 3; count++) await tools.invoke('weather__now', {});
  await tools.invoke('weather__never', {}).catch(() => {});

  const file = async (query: string) => {
    const answer = await owner.ask('GET', `${ADMIN_PATHS.invocations}/export?${query}`);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="calls\.(csv|jsonl)"$/);
    return answer.text();
  };
  const [head, ...lines] = (await file('format=csv')).trimEnd().split('\r\n');
  expect(head).toBe(
    'id,startedAt,toolkit,action,keyId,keyName,outcome,ms,standsFor,sessionId,userId,origin,toolkitCode,error,charged,currency',
  );
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(
    /^inv_[^,]+,[^,]+Z,weather,weather__never,key_[^,]+,"'=cmd\(""x""\), ""quoted""",ACTION_NOT_FOUND,[\d.]+,,,,agent,,.*,,$/,
  );
  const ok = (await file('format=jsonl&outcome=ok')).trimEnd().split('\n');
  expect(ok.map((line) => JSON.parse(line))).toEqual(Array(3).fill(expect.objectContaining({ action: 'weather__now', code: 'OK' })));
  expect((await owner.ask('GET', `${ADMIN_PATHS.invocations}/export?format=xls`)).status).toBe(400);
});
