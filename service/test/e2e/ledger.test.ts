/** Paid calls in the admin API and in `svc-service ledger export`: entries, sums, and access to them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createService } from 'svc-service';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LedgerEntriesPage, LedgerItem, OwnedKeysPage, Spending } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { runInProcess } from '../../../test/support/command-in-process';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit } from '../../../test/support/service';
import { toTime } from '../../src/lib/to-time';

const BUDGET = { perCall: '1', perDay: '10' };

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** Anna offers paid maps and calls them; Ben calls them too. */
async function market() {
  const service = await startConsole();
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const make = (who: Asker, body: object) => who.json<CreatedKey>('POST', PATHS.keys, body);
  const toolkitKey = await make(anna, { kind: 'toolkit', name: 'maps' });
  await runToolkit(service.url, toolkitKey.key, (toolkit) => {
    toolkit.action({ action: 'route', actionDescription: 'Finds a route', payment: { amount: '0.05' } }, (ctx) => {
      ctx.charge('0.03');
      return 'left, then right';
    });
    toolkit.action({ action: 'tile', actionDescription: 'Draws a tile', payment: { amount: '0.5' } }, () => 'a tile');
    toolkit.action({ action: 'fail', actionDescription: 'Fails', payment: { amount: '1' } }, () => Promise.reject(new Error('no')));
  });
  const payer = async (who: Asker, name: string) => {
    const key = await make(who, { kind: 'agent', name });
    await service.owner.json('PATCH', `${PATHS.keys}/${key.id}`, { budget: BUDGET });
    return { ...key, call: (action: string) => service.as(key.key).ask('POST', PATHS.invoke, { action: `maps__${action}`, payload: {} }) };
  };
  const [annas, bens] = [await payer(anna, '=Anna,agent'), await payer(ben, 'Ben agent')];
  for (const action of ['route', 'tile', 'fail']) await annas.call(action);
  await bens.call('route');
  const entries = async (who: Asker, query = '') => {
    const page = await who.json<LedgerEntriesPage>('GET', `${ADMIN_PATHS.ledger}?${query}`);
    return page.entries.map(({ key, action, state, charged }) => `${key.name ?? '?'} ${action} ${state} ${charged}`).toSorted();
  };
  const spending = (who: Asker, query: string) => who.json<Spending>('GET', `${ADMIN_PATHS.spending}?${query}`);
  return { service, anna, ben, annas, bens, make, entries, spending };
}

const ANNAS = ['=Anna,agent maps__fail released 0', '=Anna,agent maps__route charged 0.03', '=Anna,agent maps__tile charged 0.5'];

test('an owner sees every entry, a member those of their keys and of their toolkits', async () => {
  const { service, anna, ben, annas, entries } = await market();
  expect(await entries(service.owner)).toEqual([...ANNAS, 'Ben agent maps__route charged 0.03']);
  expect(await entries(anna)).toEqual([...ANNAS, '? maps__route charged 0.03']);
  expect(await entries(anna, 'mine=keys')).toEqual(ANNAS);
  expect(await entries(anna, `key=${annas.id}&action=maps__tile`)).toEqual([ANNAS[2]]);
  expect(await entries(ben)).toEqual(['Ben agent maps__route charged 0.03']);
  expect(await entries(ben, 'mine=toolkits')).toEqual([]);
  expect(await entries(ben, `key=${annas.id}`)).toEqual([]);
  expect(await entries(service.owner, 'mine=keys')).toEqual([]);
});

test('pages follow each other, newest first, and an entry has its amounts and times', async () => {
  const { service, bens } = await market();
  const seen: LedgerItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ limit: '2', ...(cursor !== undefined && { cursor }) });
    const page = await service.owner.json<LedgerEntriesPage>('GET', `${ADMIN_PATHS.ledger}?${query}`);
    seen.push(...page.entries);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(seen.map(({ action }) => action)).toEqual(['maps__route', 'maps__fail', 'maps__tile', 'maps__route']);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(seen[0]).toEqual({
    invocationId: expect.stringMatching(/^inv_/),
    key: { id: bens.id, name: 'Ben agent' },
    toolkit: 'maps',
    action: 'maps__route',
    currency: 'USD',
    authorised: '0.05',
    charged: '0.03',
    state: 'charged',
    heldAt: time,
    bookedAt: time,
  });
});

test('spent and earned amounts are added up', async () => {
  const { service, anna, ben, annas, bens, spending } = await market();
  const items = async (who: Asker, query: string) =>
    (await spending(who, query)).items.map(({ id, name = '', calls, charged }) => [id, name, calls, charged]);
  expect(await spending(service.owner, 'by=toolkit')).toMatchObject({
    currency: 'USD',
    total: { calls: 4, charged: '0.56', held: '0' },
    items: [{ id: 'maps', name: 'maps', calls: 4, charged: '0.56', held: '0' }],
  });
  const keys = [
    [annas.id, '=Anna,agent', 3, '0.53'],
    [bens.id, 'Ben agent', 1, '0.03'],
  ];
  expect(await items(service.owner, 'by=key')).toEqual(keys);
  expect(await items(service.owner, 'by=key&limit=1')).toEqual(keys.slice(0, 1));
  expect(await items(anna, 'by=key&mine=toolkits')).toEqual([keys[0], [bens.id, '', 1, '0.03']]);
  expect(await items(anna, 'by=key')).toEqual(keys.slice(0, 1));
  expect(await items(ben, 'by=action')).toEqual([['maps__route', '', 1, '0.03']]);
  expect(await spending(ben, 'by=action&mine=toolkits')).toMatchObject({ total: { calls: 0, charged: '0', held: '0' }, items: [] });
  const today = toTime(Date.now()).slice(0, 10);
  expect(await items(service.owner, 'by=day')).toEqual([[today, '', 4, '0.56']]);
  expect(await items(service.owner, `by=day&to=${today}T00:00:00Z`)).toEqual([]);
});

test('a key with a budget shows its use of today', async () => {
  const { ben, bens, make } = await market();
  await make(ben, { kind: 'agent', name: 'free' });
  const { keys } = await ben.json<OwnedKeysPage>('GET', PATHS.keys);
  expect(keys.map(({ name, spentToday }) => [name, spentToday])).toEqual([
    ['Ben agent', { charged: '0.03', held: '0' }],
    ['free', undefined],
  ]);
  expect(await ben.json('PATCH', `${PATHS.keys}/${bens.id}`, { name: 'mine' })).toMatchObject({ spentToday: { charged: '0.03' } });
});

test('entries stay when toolkit, key and person are removed; a new toolkit with the id has none of them', async () => {
  const { service, anna, ben, bens, make, entries, spending } = await market();
  await service.owner.json('DELETE', `${ADMIN_PATHS.reports}/toolkits/maps`);
  await service.owner.json('DELETE', `${PATHS.keys}/${bens.id}`);
  expect(await entries(service.owner)).toHaveLength(4);
  expect(await entries(anna, 'mine=toolkits')).toEqual([]);
  expect(await spending(service.owner, 'by=toolkit')).toMatchObject({ items: [{ id: 'maps', charged: '0.56' }] });
  expect((await spending(service.owner, 'by=toolkit')).items[0]).not.toHaveProperty('name');
  await make(ben, { kind: 'toolkit', name: 'maps' });
  expect(await entries(ben, 'mine=toolkits')).toEqual([]);
  expect(await entries(ben)).toEqual(['Ben agent maps__route charged 0.03']);
});

test('data in another currency reject the start, with the next step', async () => {
  const data = folder();
  const service = await createService({ port: 0, data, currency: 'EUR' });
  onTestFinished(() => service.close());
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'maps' });
  const maps = await runToolkit(service.url, key, (toolkit) => {
    toolkit.action({ action: 'tile', actionDescription: 'Draws a tile', payment: { amount: '0.5' } }, () => 'a tile');
  });
  const agent = await service.keys.create({ kind: 'agent', name: 'payer', budget: BUDGET });
  const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' };
  const paid = await fetch(service.url + PATHS.invoke, { method: 'POST', headers, body: '{"action":"maps__tile","payload":{}}' });
  expect(await paid.json()).toMatchObject({ payment: { charged: '0.5', currency: 'EUR' } });
  await maps.stop();
  await service.close();
  await expect(createService({ port: 0, data })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('is in EUR, and the service would run in USD: start it with --currency EUR'),
  });
  await (await createService({ port: 0, data, currency: 'EUR' })).close();
});

describe('svc-service ledger export', () => {
  beforeEach(() => () => vi.unstubAllEnvs());
  const RANGE = ['--from', '2020-01-01', '--to', '2100-01-01T00:00:00+02:00'];
  const run = (...args: string[]) => runInProcess(['ledger', 'export', ...args]);

  async function withEnvironment() {
    const staged = await market();
    vi.stubEnv('SVC_BASE_URL', staged.service.url);
    vi.stubEnv('SVC_ADMIN_API_KEY', (await staged.make(staged.service.owner, { kind: 'admin', name: 'books' })).key);
    return staged;
  }

  test('CSV with a header, oldest first; no value is a formula', async () => {
    const { annas } = await withEnvironment();
    const { code, stdout, stderr } = await run(...RANGE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, ...lines] = stdout.split('\r\n');
    expect(head).toBe('invocationId,heldAt,bookedAt,settledAt,keyId,keyName,toolkit,action,state,authorised,charged,currency');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => line.split(',').slice(-4).join(' '))).toEqual([
      'charged 0.05 0.03 USD',
      'charged 0.5 0.5 USD',
      'released 1 0 USD',
      'charged 0.05 0.03 USD',
    ]);
    expect(lines[0]).toContain(`,,${annas.id},"'=Anna,agent",maps,maps__route,charged,`);
  });

  test('JSON lines of the entries as in the list, with filters', async () => {
    const { service, bens } = await withEnvironment();
    const { entries } = await service.owner.json<LedgerEntriesPage>('GET', ADMIN_PATHS.ledger);
    const lines = async (...args: string[]) => (await run(...RANGE, ...args)).stdout.trimEnd().split('\n');
    expect((await lines('--format', 'jsonl')).map((line) => JSON.parse(line))).toEqual(entries.toReversed());
    expect((await lines('--json', '--key', bens.id)).map((line) => JSON.parse(line))).toEqual(entries.slice(0, 1));
    expect(await lines('--json', '--toolkit', 'maps', '--action', 'maps__tile')).toHaveLength(1);
    expect(await lines('--json', '--toolkit', 'other')).toEqual(['']);
  });

  test('--to is exclusive, and days are UTC days', async () => {
    const { service } = await withEnvironment();
    const { entries } = await service.owner.json<LedgerEntriesPage>('GET', ADMIN_PATHS.ledger);
    const [last] = entries as [LedgerItem];
    const lines = async (from: string, to: string) => (await run('--from', from, '--to', to, '--json')).stdout.split('\n').length - 1;
    const later = entries.filter(({ heldAt }) => heldAt === last.heldAt).length;
    expect(await lines('2020-01-01', last.heldAt)).toBe(4 - later);
    expect(await lines(last.heldAt, '2100-01-01')).toBe(later);
    expect(await lines(last.heldAt.slice(0, 10), '2100-01-01')).toBe(4);
    expect(await lines('2020-01-01', last.heldAt.slice(0, 10))).toBe(0);
  });

  test('a file is complete, and replaces no file by default', async () => {
    await withEnvironment();
    const file = join(folder(), 'books.csv');
    expect(await run(...RANGE, '--output', file)).toEqual({ code: 0, stdout: '', stderr: `Exported to ${file}\n` });
    const whole = readFileSync(file, 'utf8');
    expect(whole.split('\r\n')).toHaveLength(6);
    writeFileSync(file, 'mine');
    expect(await run(...RANGE, '--output', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await run(...RANGE, '--output', file, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(whole);
    const directory = join(folder(), 'there');
    mkdirSync(directory);
    const nowhere = await run(...RANGE, '--output', join(directory, 'missing', 'books.csv'));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^INVALID_REQUEST: Cannot write /) });
  });

  test('a broken connection is an error, and leaves no file', async () => {
    const server = createServer((_request, response) => {
      response.write('invocationId,heldAt\r\n', () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    vi.stubEnv('SVC_ADMIN_API_KEY', 'any');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = join(folder(), 'books.csv');
    const message = `SERVICE_UNREACHABLE: ${url} broke off the export`;
    for (const output of [[], ['--output', file]])
      expect(await run(...RANGE, '--url', url, ...output)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    [[], /required option '--from <time>'/],
    [['--from', '2026-11-01'], /required option '--to <time>'/],
    [['--from', 'yesterday', '--to', '2026-11-01'], /'--from <time>' argument 'yesterday' is invalid. It is a UTC day, such as/],
    [['--from', '2026-02-30', '--to', '2026-11-01'], /argument '2026-02-30' is invalid/],
    [['--from', '2026-11-01T08:00:00', '--to', '2026-12-01'], /argument '2026-11-01T08:00:00' is invalid/],
    [['--from', '2026-11-01', '--to', '2026-11-01T25:00:00Z'], /argument '2026-11-01T25:00:00Z' is invalid/],
    [['--from', '2026-11-01', '--to', '2026-11-01'], /--from must be before --to/],
    [['--from', '2026-11-01', '--to', '2026-12-01', '--format', 'xml'], /Allowed choices are csv, jsonl/],
    [['--from', '2026-11-01', '--to', '2026-12-01', '--key', ''], /It is empty/],
  ])('%j is a wrong command line', async (args, message) => {
    expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});
