// @module-tag postgres
// @module-tag nats
/** The answers to callers while NATS, PostgreSQL, a node or a toolkit's process is down, and the automatic recovery. */
import { connect } from '@nats-io/transport-node';
import { Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { offeredAt } from '../../../test/support/nodes';
import { newDatabase, startPostgres } from '../../../test/support/postgres';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';
import { runCommand, startCommand } from '../support/command';

const buy = { action: 'buy', actionDescription: 'Buys' };

async function startTwo(makeDatabase = newDatabase) {
  const [database, nats] = await Promise.all([makeDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url });
  const [here, there] = [await start(), await start()];
  const { key } = await here.keys.create({ kind: 'agent', name: 'agent' });
  const [atHere, atThere] = [here, there].map(({ url }) => new Tools({ baseUrl: url, apiKey: key })) as [Tools, Tools];
  return { database, nats, here, there, key, atHere, atThere };
}

function invoke(node: TestService, key: string, idempotencyKey: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return fetch(`${node.url}/v1/invoke`, { method: 'POST', headers, body: JSON.stringify({ action: 'shop__buy' }) });
}

async function isReady(node: TestService): Promise<number> {
  return (await fetch(`${node.url}/readyz`)).status;
}

test('while NATS is down calls at the toolkit’s node continue, others get a Retry-After, and the service recovers', async () => {
  const { nats, here, there, key } = await startTwo();
  await here.toolkit('shop', (toolkit) => toolkit.action(buy, () => 'bought'));
  await offeredAt([here, there], 'shop__buy');
  expect((await invoke(there, key, 'before')).status).toBe(200);
  await nats.stop('SIGKILL');
  await vi.waitFor(async () => expect([await isReady(here), await isReady(there)]).toEqual([503, 503]));
  expect((await invoke(here, key, 'meanwhile-here')).status).toBe(200);
  const refused = await invoke(there, key, 'meanwhile-there');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  await nats.start();
  await vi.waitFor(async () => expect([await isReady(here), await isReady(there)]).toEqual([200, 200]));
  await vi.waitFor(async () => expect((await invoke(there, key, 'meanwhile-there')).status).toBe(200));
});

test('while PostgreSQL is down calls with a key are refused, results of handlers are kept, and delivered after the recovery', async () => {
  const postgres = await startPostgres();
  const { here, there, key } = await startTwo(() => postgres.newDatabase());
  const toolkit = await RawToolkit.connect(here, (await here.keys.create({ kind: 'toolkit', name: 'shop' })).key);
  await toolkit.register([buy]);
  await offeredAt([here, there], 'shop__buy');
  const calls = [invoke(here, key, 'one'), invoke(there, key, 'two')];
  const ids = [(await toolkit.invoked(0)).id, (await toolkit.invoked(1)).id];
  await postgres.crash();
  try {
    for (const id of ids) toolkit.send({ jsonrpc: '2.0', id, result: 'bought' });
    await vi.waitFor(async () => expect([await isReady(here), await isReady(there)]).toEqual([503, 503]));
    for (const node of [here, there]) {
      const refused = await invoke(node, key, 'three');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
  } finally {
    await postgres.startAgain();
  }
  for (const call of calls) expect(await (await call).json()).toMatchObject({ result: 'bought' });
  await vi.waitFor(async () => expect([await isReady(here), await isReady(there)]).toEqual([200, 200]));
  expect(await (await invoke(there, key, 'one')).json()).toMatchObject({ result: 'bought', replayed: true });
  expect(toolkit.received.filter(({ method }) => method === 'invoke')).toHaveLength(2);
});

test('a NATS that cannot be reached at the start ends serve with one line, which shows no password', async () => {
  const database = await newDatabase();
  const env = { SVC_DATABASE_URL: database, SVC_NATS_URL: 'nats://svc:s3cret@127.0.0.1:1' };
  const { code, stderr } = await runCommand(['serve', '--port', '0'], { env });
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^SERVICE_UNAVAILABLE: .*127\.0\.0\.1:1/)]);
  expect(stderr).not.toContain('s3cret');
});

test('a call whose process is lost runs again at another node when it may, and is unknown at every node when not', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url, limits: { reconnectGraceMs: 300 } });
  const [here, there] = [await start(), await start()];
  const { key } = await here.keys.create({ kind: 'agent', name: 'agent' });
  const shop = (await here.keys.create({ kind: 'toolkit', name: 'shop' })).key;
  const pay = { action: 'pay', actionDescription: 'Pays', annotations: { idempotent: true } };
  const lost = await RawToolkit.connect(here, shop);
  await lost.register([buy, pay], { instance: 'instance-one' });
  const [atHere, atThere] = [here, there].map(({ url }) => new Tools({ baseUrl: url, apiKey: key })) as [Tools, Tools];
  const paid = atHere.invoke('shop__pay', { amount: 1 }, { idempotencyKey: 'bill-1' });
  const first = await lost.invoked(0);
  const bought = atHere.invoke('shop__buy', {}, { idempotencyKey: 'order-1' }).catch((error: unknown) => error);
  await lost.invoked(1);
  const other = await RawToolkit.connect(there, shop);
  await other.register([buy, pay], { instance: 'instance-two' });
  await lost.close();

  const second = await other.invoked(0);
  expect(first.params).toMatchObject({ attempt: 1, idempotencyKey: 'bill-1' });
  expect(second.params).toMatchObject({ action: 'pay', attempt: 2, idempotencyKey: 'bill-1', payload: { amount: 1 } });
  other.send({ jsonrpc: '2.0', id: second.id, result: 'paid' });
  expect(await paid).toMatchObject({ result: 'paid' });
  expect(await bought).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  for (const tools of [atHere, atThere])
    await expect(tools.invoke('shop__buy', {}, { idempotencyKey: 'order-1' })).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  expect(other.received.filter(({ method }) => method === 'invoke')).toHaveLength(1);
});

test('a frozen node loses no call: its toolkit moves to another node with its running calls, and a retry there gets the result', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const frozen = startCommand(['serve', '--port', '0', '--database', database, '--nats', nats.url]);
  onTestFinished(() => frozen.kill('SIGKILL'));
  const [, url = ''] = await frozen.printed(/listens on (\S+)/);
  const other = await startService({ database, nats: nats.url });
  const agent = (await other.keys.create({ kind: 'agent', name: 'agent' })).key;
  const shop = (await other.keys.create({ kind: 'toolkit', name: 'shop' })).key;
  const before = await RawToolkit.connect({ url }, shop);
  await before.register([buy]);
  await offeredAt([other], 'shop__buy');
  const tools = new Tools({ baseUrl: other.url, apiKey: agent });
  const call = tools.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  const { id } = await before.invoked();
  frozen.kill('SIGSTOP');
  const after = await RawToolkit.connect(other, shop);
  expect(await after.register([buy], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  const retry = tools.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  await after.request('result', { invocationId: id, result: 'bought' });
  for (const answer of [call, retry]) expect(await answer).toMatchObject({ invocationId: id, result: 'bought' });
  frozen.kill('SIGCONT');
  const atFrozen = new Tools({ baseUrl: url, apiKey: agent });
  expect(await atFrozen.invoke('shop__buy', {}, { idempotencyKey: 'order-1' })).toMatchObject({ result: 'bought' });
});

test('unknown messages of a newer node are ignored', async () => {
  const { nats, here, there, atThere } = await startTwo();
  await here.toolkit('shop', (toolkit) => toolkit.action(buy, () => 'bought'));
  await offeredAt([there], 'shop__buy');
  const connection = await connect({ servers: nats.url });
  onTestFinished(() => connection.close());
  const say = (message: unknown) => connection.publish('svc.to.nodes', typeof message === 'string' ? message : JSON.stringify(message));
  say({ kind: 'of-tomorrow', from: 'node_newer' });
  say({ kind: 'alive', from: 'node_newer', number: 1, counts: {}, more: [1] });
  say({ kind: 'offer', from: 'node_newer', number: 2, toolkitId: 'shop', replicas: 1, actions: ['buy'], more: true });
  say({ kind: 'tell-all', from: 'no word. of a subject' });
  say({ kind: 'alive', from: 'node_newer', number: 3, counts: JSON.parse('{"__proto__": 1}') });
  say({ kind: 'cancel', id: 'constructor' });
  say({ kind: 'instance', from: 'node_newer', toolkitId: '__proto__', instance: 'x', unfinished: [] });
  say('{"kind":');
  say('');
  await connection.flush();
  expect(await atThere.invoke('shop__buy', {})).toMatchObject({ result: 'bought' });
});
