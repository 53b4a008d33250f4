/** Runs of code through kill -9 of the only node. */
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChangeKeyRequest } from '#sdk/protocol/admin';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit } from '../../../test/support/service';
import { Coder, Shop } from '../support/code-runs';
import { startCommand } from '../support/command';

const PATIENCE = { timeout: 30_000 };

async function setUp({ rules = [] as object[] } = {}) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const keys = await openKeys(path);
  const agent = await keys.create({ kind: 'agent', name: 'coder', code: true, rules: rules as [] });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  const other = await keys.create({ kind: 'toolkit', name: 'other' });
  await keys.close();
  const serve = async (port: number) => {
    const command = startCommand(['serve', '--code', '--port', String(port), '--data', path, '--limit', 'takeoverGraceMs=30000']);
    const kill = () => {
      command.kill('SIGKILL');
      return command.ended;
    };
    onTestFinished(async () => void (await kill()));
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { url, port: Number(new URL(url).port), kill };
  };
  const first = await serve(0);
  const shop = new Shop();
  await runToolkit(first.url, toolkit.key, shop.define);
  const changeKey = async (change: ChangeKeyRequest) => {
    const stopped = await openKeys(path);
    await stopped.change(agent.id, change);
    await stopped.close();
  };
  return { serve, first, shop, changeKey, coder: new Coder(first, agent.key), otherKey: other.key };
}

test('a run goes on after the restart: calls that ran give their answers again, and the one that runs is joined', async () => {
  const { serve, first, shop, coder } = await setUp();
  const code = `
    const orders = await Promise.all(['a', 'b', 'c', 'd'].map((item) => tools.shop.order({ item })));
    const box = await tools.shop.pack({ item: 'box' });
    return { orders: orders.map(({ data }) => data.order), box: box.data, random: Math.random(), now: Date.now() };`;
  const { run } = (await coder.run(code, { prefer: 'respond-async', more: { run: 'mine' } })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  await first.kill();
  await serve(first.port);
  const waiting = coder.run(code, { more: { run: 'mine' } });
  shop.end('box');
  const done = await waiting;
  expect(done.body).toMatchObject({ run, status: 'done', result: { orders: [1, 1, 1, 1], box: { packed: 'box' } }, calls: 5 });
  expect([...shop.orders.values()]).toEqual([1, 1, 1, 1, 1]);
});

test('a waiting run waits on after the restart, with its answers, and goes on with the decision', async () => {
  const { serve, first, shop, coder, otherKey } = await setUp({
    rules: [{ match: { action: 'shop__order' }, do: 'ask', decidedBy: 'app' }],
  });
  const code = `const there = await tools.other.there(); const tea = await tools.shop.order({ item: 'tea' }); return [there.error?.code, tea.data];`;
  const more = { run: 'mine' };
  const { asks, run } = (await coder.run(code, { more })).body;
  await first.kill();
  await serve(first.port);
  await runToolkit(first.url, otherKey, (other) => other.action({ action: 'there', actionDescription: 'Is there' }, () => true));
  expect((await coder.follow(run)).body).toEqual({ run, status: 'waiting', asks });
  await vi.waitFor(async () => expect((await coder.ask('/v1/actions/shop__order', {})).body).toMatchObject({ online: true }), PATIENCE);
  const done = await coder.run(code, { more: { ...more, approved: [asks[0].approval.id] } });
  expect(done.body).toMatchObject({ status: 'done', result: ['ACTION_NOT_FOUND', { order: 1 }] });
  expect(shop.orders).toEqual(new Map([['tea', 1]]));
});

test('a program that goes another way after the restart ends as diverged, and names the calls that it left out', async () => {
  const { serve, first, shop, coder, changeKey } = await setUp();
  const code = `
    if ((await tools.describe('shop__fail')).ok) await tools.shop.order({ item: 'tea' });
    return (await tools.shop.pack({ item: 'box' })).data;`;
  const { run } = (await coder.run(code, { prefer: 'respond-async' })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  await first.kill();
  await changeKey({ allow: { toolkits: [], actions: ['shop__pack'] } });
  await serve(first.port);
  const followed = coder.follow(run, 60);
  shop.end('box');
  const { body } = await followed;
  expect(body).toMatchObject({ status: 'failed', error: { code: 'DIVERGED', details: { calls: [{ action: 'shop__order' }] } } });
  expect(body.ran.sort()).toEqual(['shop__order', 'shop__pack']);
  expect(shop.orders.get('tea')).toBe(1);
});
