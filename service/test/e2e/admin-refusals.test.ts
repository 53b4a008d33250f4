/** Calls that are refused before they are read are counted and listed, and cost no percentile. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage, type StatsSeries } from '#sdk/protocol/admin';
import { type CreatedToken, PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../test/support/console-service';

const ECHO = 'mirror__echo';

async function startMirror() {
  const service = await startConsole();
  await service.toolkit('mirror', (mirror) => {
    mirror.action({ action: 'echo', actionDescription: 'Gives back what it gets', payloadDescription: {} }, () => 'echo');
  });
  return service;
}

/** The statuses of sequential calls. */
async function call(service: ConsoleService, key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++)
    statuses.push((await service.as(key).ask('POST', PATHS.invoke, { action: ECHO, payload: {} })).status);
  return statuses;
}

const seriesOf = ({ owner }: ConsoleService, keyId: string) => owner.json<StatsSeries>('GET', `${ADMIN_PATHS.stats}/series?key=${keyId}`);
const listOf = async ({ owner }: ConsoleService, query: string) =>
  (await owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?${query}`)).invocations;

test('calls above the limit of a key are counted, and the first of the minute is listed with their number', async () => {
  const service = await startMirror();
  const limited = await service.keys.create({ kind: 'agent', name: 'nightly', callsPerMinute: 3 });
  expect(await call(service, limited.key, 8)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);

  await vi.waitFor(async () => expect((await seriesOf(service, limited.id)).total.calls).toBe(8));
  const { total, codes } = await seriesOf(service, limited.id);
  expect(total).toMatchObject({ calls: 8, errors: 5, refused: 5 });
  expect(total.p50Ms).toBeGreaterThan(0);
  expect(codes).toEqual([
    { code: 'RATE_LIMITED', calls: 5 },
    { code: 'OK', calls: 3 },
  ]);

  const refused = await listOf(service, 'outcome=RATE_LIMITED');
  // Two where the minute ended between them.
  expect(refused.length).toBeLessThanOrEqual(2);
  expect(refused.reduce((sum, { standsFor = 0 }) => sum + standsFor, 0)).toBe(5);
  expect(refused[0]).toMatchObject({ action: '', key: { id: limited.id, name: 'nightly' }, code: 'RATE_LIMITED', ms: 0 });
});

test('a revoked key that is used on shows up, over HTTP and over MCP', async () => {
  const service = await startMirror();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'old' });
  expect(await call(service, key, 1)).toEqual([200]);
  await service.keys.revoke(id);
  expect(await call(service, key, 2)).toEqual([401, 401]);
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  expect((await service.as(key).ask('POST', PATHS.mcp, initialize)).status).toBe(403);

  await vi.waitFor(async () => expect((await seriesOf(service, id)).total).toMatchObject({ calls: 4, refused: 3 }));
  expect(await listOf(service, `key=${id}&outcome=KEY_REVOKED`)).toHaveLength(1);
});

test('a call with a token that is refused counts for its key, but not when the token has just expired', async () => {
  const service = await startMirror();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'app', callsPerMinute: 4 });
  const mint = async (ttlSeconds: number) => (await service.as(key).json<CreatedToken>('POST', PATHS.tokens, { ttlSeconds })).token;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const [token, short] = [await mint(600), await mint(1)];
  expect(await call(service, short, 1)).toEqual([200]);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await call(service, short, 1)).toEqual([401]);
  expect(await call(service, token, 2)).toEqual([200, 429]);
  vi.useRealTimers();
  await vi.waitFor(async () => expect((await seriesOf(service, id)).codes).toContainEqual({ code: 'RATE_LIMITED', calls: 1 }));
  expect((await seriesOf(service, id)).codes).toEqual([
    { code: 'OK', calls: 2 },
    { code: 'RATE_LIMITED', calls: 1 },
  ]);
});

test('a text that is not a key of this service is not recorded', async () => {
  const service = await startMirror();
  const { key } = await service.keys.create({ kind: 'agent', name: 'one' });
  expect(await call(service, `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`, 3)).toEqual([401, 401, 401]);
  await call(service, key, 1);
  await vi.waitFor(async () => expect(await listOf(service, 'limit=10')).toHaveLength(1));
});
