// @module-tag postgres
// @module-tag nats
/** Calls that go on without their callers, at several nodes that end, drain and restart. */
import { expect, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { execute } from '../../../test/support/postgres-server';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit, startService, type TestService } from '../../../test/support/service';
import { Films, longCaller } from '../support/long-calls';
import { startTcpProxy } from '../support/tcp-proxy';

const PATIENCE = { timeout: 20_000 };

/** Nodes, and a toolkit whose socket leads to the first, until `proxy` leads elsewhere. */
async function setUp(count: number) {
  const nodes = await startNodes(count);
  const first = nodes[0] as TestService;
  const films = new Films();
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'films' });
  const proxy = await startTcpProxy(first.port);
  await runToolkit(proxy.url, key, films.define);
  await offeredAt(nodes, 'films__render');
  return { nodes: nodes as [TestService, TestService, ...TestService[]], films, proxy, caller: await longCaller(first) };
}

test('any node follows the call and cancels it', async () => {
  const { nodes, films, caller } = await setUp(2);
  const [first, second] = nodes;
  const handle = await caller.at(second).handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  films.report('one', 40);
  await vi.waitFor(
    async () => expect(await caller.at(first).follow(handle)).toMatchObject({ status: 202, body: { progress: { progress: 40 } } }),
    PATIENCE,
  );
  const waiting = [caller.at(first).follow(handle, 30), caller.at(second).follow(handle, 30)];
  films.end('one');
  for (const answer of await Promise.all(waiting))
    expect(answer).toEqual({ status: 200, body: { invocationId: handle, result: { film: 'one' } } });

  const other = await caller.at(first).handle('films__render', { name: 'two' });
  await vi.waitFor(() => expect(films.runs.get('two')).toBe(1), PATIENCE);
  expect(await caller.at(second).cancel(other)).toMatchObject({ status: 204 });
  expect(await caller.follow(other, 30)).toMatchObject({ status: 499 });
  await vi.waitFor(() => expect(films.aborted).toEqual(['two']), PATIENCE);
});

test('the call goes on at another node when the one that began it stops, and its progress too', async () => {
  const { nodes, films, caller } = await setUp(2);
  const [first, second] = nodes;
  const handle = await caller.at(second).handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  await second.close();
  films.report('one', 70);
  await vi.waitFor(async () => {
    films.report('one', 70);
    expect(await caller.at(first).follow(handle)).toMatchObject({ status: 202, body: { progress: { progress: 70 } } });
  }, PATIENCE);
  films.end('one');
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 200, body: { result: { film: 'one' } } });
  expect(films).toMatchObject({ aborted: [], runs: new Map([['one', 1]]) });
});

test('the call goes on when the node with its process stops, and the process connects elsewhere', async () => {
  const { nodes, films, proxy, caller } = await setUp(2);
  const [first, second] = nodes;
  const handle = await caller.at(second).handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  proxy.leadTo(second.port);
  await first.close();
  expect(await caller.follow(handle)).toMatchObject({ status: 202 });
  films.end('one');
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 200, body: { invocationId: handle, result: { film: 'one' } } });
  expect(films).toMatchObject({ aborted: [], runs: new Map([['one', 1]]) });
});

test('a call that waits for a toolkit goes on waiting at another node', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url });
  const [first, second] = [await start(), await start()];
  const films = new Films();
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'films' });
  await (await runToolkit(first.url, key, films.define)).stop();
  const caller = await longCaller(first);
  const handle = await caller.handle('films__render', { name: 'one' });
  await first.close();
  await runToolkit(second.url, key, films.define);
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  films.end('one');
  expect(await caller.at(second).follow(handle, 30)).toMatchObject({ status: 200, body: { invocationId: handle } });
});

test('a call that a node took over ends at once when its process connects to another node', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url });
  const [first, second] = [await start(), await start()];
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'films' });
  const before = await RawToolkit.connect(first, key);
  const render = { action: 'render', actionDescription: 'Renders a film' };
  await before.register([render]);
  await offeredAt([second], 'films__render');
  const caller = await longCaller(first);
  const handle = await caller.at(second).handle('films__render', { name: 'one' });
  const { id } = await before.invoked();
  const ownerOf = async () => (await execute('SELECT node FROM invocations WHERE code IS NULL', database))[0]?.node;
  const owner = await ownerOf();
  await first.close();
  await vi.waitFor(async () => expect(await ownerOf()).not.toBe(owner), PATIENCE);

  const after = await RawToolkit.connect(await start(), key);
  expect(await after.register([render], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  await after.request('result', { invocationId: id, result: { film: 'one' } });
  expect(await caller.follow(handle, 15)).toMatchObject({ status: 200, body: { invocationId: handle, result: { film: 'one' } } });
});

test('a rolling restart of three nodes under 100 long calls: none fails, none runs twice', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url });
  const nodes = [await start(), await start(), await start()] as [TestService, TestService, TestService];
  const films = new Films();
  const { key } = await nodes[0].keys.create({ kind: 'toolkit', name: 'films' });
  const proxies = await Promise.all(nodes.map(({ port }) => startTcpProxy(port)));
  for (const proxy of proxies) await runToolkit(proxy.url, key, films.define);
  await offeredAt(nodes, 'films__render');
  const caller = await longCaller(nodes[0]);
  const names = Array.from({ length: 100 }, (_, index) => `film ${index}`);
  const handles = await Promise.all(names.map((name, index) => caller.at(nodes[index % 3]!).handle('films__render', { name })));
  await vi.waitFor(() => expect(films.runs.size).toBe(100), PATIENCE);

  for (const index of [0, 1, 2]) {
    const other = nodes[(index + 1) % 3]!;
    for (const proxy of proxies) proxy.leadTo(other.port);
    await nodes[index]!.close({ graceMs: 4_000 });
    nodes[index] = await start();
    await offeredAt([nodes[index]!], 'films__render');
  }

  for (const name of names) films.end(name);
  const answers = await Promise.all(handles.map((handle, index) => caller.at(nodes[index % 3]!).follow(handle, 30)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.map(({ body }) => body.result.film)).toEqual(names);
  expect([...films.runs.values()].every((runs) => runs === 1)).toBe(true);
  expect(films.aborted).toEqual([]);
}, 120_000);
