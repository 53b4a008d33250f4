// @module-tag postgres
// @module-tag nats
/** Runs of code at several nodes that share a database: followed, decided, cancelled and taken over anywhere. */
import { expect, test, vi } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { runToolkit, type TestService } from '../../../test/support/service';
import { coder, Shop } from '../support/code-runs';
import { startTcpProxy } from '../support/tcp-proxy';

const PATIENCE = { timeout: 30_000 };

/** Two nodes, and a toolkit whose socket leads to the first, until `proxy` leads elsewhere. */
async function setUp(key: object = {}) {
  const [first, second] = (await startNodes(2, { code: true })) as [TestService, TestService];
  const shop = new Shop();
  const toolkit = await first.keys.create({ kind: 'toolkit', name: 'shop' });
  const proxy = await startTcpProxy(first.port);
  await runToolkit(proxy.url, toolkit.key, shop.define);
  await offeredAt([first, second], 'shop__order');
  return { first, second, shop, proxy, coder: await coder(first, key) };
}

test('any node answers for a run, attaches to it, and cancels it', async () => {
  const { first, second, shop, coder } = await setUp();
  const code = `await tools.shop.price({ item: 'tea' }); return (await tools.shop.pack({ item: 'box' })).data;`;
  const more = { run: 'mine' };
  const { run } = (await coder.at(second).run(code, { more, prefer: 'respond-async' })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  await vi.waitFor(async () => expect((await coder.at(first).follow(run)).body).toEqual({ run, status: 'running', calls: 2 }), PATIENCE);
  const waiting = [coder.at(first).follow(run, 60), coder.at(first).run(code, { more }), coder.at(second).follow(run, 60)];
  shop.end('box');
  for (const answer of await Promise.all(waiting)) expect(answer.body).toMatchObject({ run, status: 'done', result: { packed: 'box' } });
  expect(shop.orders.get('box')).toBe(1);

  const other = (await coder.at(second).run(`await tools.shop.pack({ item: 'other' });`, { prefer: 'respond-async' })).body.run;
  await vi.waitFor(() => expect(shop.isBusyWith('other')).toBe(true), PATIENCE);
  expect(await coder.at(first).cancel(other)).toMatchObject({ status: 204 });
  expect((await coder.follow(other, 60)).body).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  await vi.waitFor(() => expect(shop.aborted).toEqual(['other']), PATIENCE);
});

test('a run goes on at another node when its node stops: its call goes on, and nothing runs twice', async () => {
  const { first, second, shop, coder } = await setUp();
  const code = `
    const orders = await Promise.all(['a', 'b', 'c'].map((item) => tools.shop.order({ item })));
    const box = await tools.shop.pack({ item: 'box' });
    return [orders.map(({ data }) => data.order), box.data];`;
  const { run } = (await coder.at(second).run(code, { prefer: 'respond-async' })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  await second.close();
  expect(shop.aborted).toEqual([]);
  const followed = coder.at(first).follow(run, 60);
  shop.end('box');
  expect((await followed).body).toMatchObject({ status: 'done', result: [[1, 1, 1], { packed: 'box' }] });
  expect([...shop.orders.values()]).toEqual([1, 1, 1, 1]);
});

test('a decision at one node sends on a run that waits at another, also when that one has stopped', async () => {
  const { first, second, shop, coder } = await setUp({ rules: [{ match: { action: 'shop__order' }, do: 'ask', decidedBy: 'app' }] });
  const code = `const one = await tools.shop.order({ item: 'one' }); const two = await tools.shop.order({ item: 'two' }); return [one.ok, two.ok];`;
  const more = { run: 'mine' };
  const [one] = (await coder.at(second).run(code, { more })).body.asks;
  const [two] = (await coder.at(first).run(code, { more: { ...more, approved: [one.approval.id] } })).body.asks;
  expect(two.payload).toEqual({ item: 'two' });
  await second.close();
  const done = await coder.at(first).run(code, { more: { ...more, approved: [two.approval.id] } });
  expect(done.body).toMatchObject({ status: 'done', result: [true, true] });
  expect([...shop.orders.values()]).toEqual([1, 1]);
});
