/** Runs of code that wait for people, accounts and long work, and go on by replay. */

import type { CreateKeyRequest } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Rule } from '#sdk/protocol/rules';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit, startService } from '../../../test/support/service';
import { Coder, coder, Shop } from '../support/code-runs';
import { startConnectStage } from '../support/connections/connect-stage';
import { codeOn } from '../support/connections/page-browser';

const PATIENCE = { timeout: 20_000 };
const APP_ASKS: Rule = { match: { action: 'shop__order' }, do: 'ask', decidedBy: 'app' };
const PEOPLE_ASK: Rule = { match: { action: 'shop__order' }, do: 'ask' };

async function setUp(key: Partial<CreateKeyRequest> = {}) {
  // A store in memory answers within the turn of the event loop, and would hide a loop that takes all of them.
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const service = await startService({ code: true, data });
  const shop = new Shop();
  await service.toolkit('shop', shop.define);
  return { service, shop, coder: await coder(service, key) };
}

const TWO_ORDERS = `
  const prices = await Promise.all(['tea', 'bread'].map((item) => tools.shop.price({ item })));
  const tea = await tools.shop.order({ item: 'tea' });
  const bread = await tools.shop.order({ item: 'bread' });
  return { random: Math.random(), now: Date.now(), orders: [tea.data ?? tea.error.code, bread.data ?? bread.error.code] };`;

test('two questions in a row are approved by the app, and each call runs once', async () => {
  const { coder, shop } = await setUp({ rules: [APP_ASKS] });
  const more = { run: 'mine' };
  const asked = await coder.run(TWO_ORDERS, { more });
  const { run, asks } = asked.body;
  const tea = { action: 'shop__order', payload: { item: 'tea' }, approval: { id: expect.stringMatching(/^apr_/), status: 'pending' } };
  expect(asked).toMatchObject({ status: 200, body: { status: 'waiting', asks: [tea] } });
  expect(shop.orders.size).toBe(0);
  expect(await coder.run(TWO_ORDERS, { more })).toMatchObject({ status: 200, body: { run, status: 'waiting' } });

  const [first] = asks;
  const again = await coder.run(TWO_ORDERS, { more: { ...more, approved: [first.approval.id] } });
  expect(again).toMatchObject({ status: 200, body: { run, status: 'waiting', asks: [{ payload: { item: 'bread' } }] } });
  expect(shop.orders).toEqual(new Map([['tea', 1]]));
  const [second] = again.body.asks;
  const done = await coder.run(TWO_ORDERS, { more: { ...more, approved: [second.approval.id] } });
  expect(done).toMatchObject({ status: 200, body: { run, status: 'done', calls: 4, result: { orders: [{ order: 1 }, { order: 1 }] } } });
  expect(shop.orders).toEqual(
    new Map([
      ['tea', 1],
      ['bread', 1],
    ]),
  );
  expect(shop.calls.filter(({ action }) => action === 'price')).toHaveLength(2);
  // A retry of the last request finds the decision made.
  expect(await coder.run(TWO_ORDERS, { more: { ...more, approved: [second.approval.id] } })).toEqual(done);
});

test('a refused call is an answer, and stays refused in later replays', async () => {
  const { coder, shop } = await setUp({ rules: [APP_ASKS] });
  const more = { run: 'mine' };
  const [tea] = (await coder.run(TWO_ORDERS, { more })).body.asks;
  const next = await coder.run(TWO_ORDERS, { more: { ...more, refused: [tea.approval.id] } });
  const [bread] = next.body.asks;
  expect(bread.payload).toEqual({ item: 'bread' });
  const done = await coder.run(TWO_ORDERS, { more: { ...more, approved: [bread.approval.id] } });
  expect(done.body.result.orders).toEqual(['APPROVAL_DENIED', { order: 1 }]);
  expect(shop.orders).toEqual(new Map([['bread', 1]]));
});

test('parallel questions are asked together, and the others go on meanwhile', async () => {
  const { coder, shop } = await setUp({ rules: [APP_ASKS] });
  const code = `return (await Promise.all(['a', 'b', 'c'].flatMap((item) => [tools.shop.order({ item }), tools.shop.price({ item })]))).map(({ ok }) => ok);`;
  const more = { run: 'mine' };
  const { asks } = (await coder.run(code, { more })).body;
  expect(asks.map(({ payload }: { payload: { item: string } }) => payload.item).sort()).toEqual(['a', 'b', 'c']);
  expect(shop.calls).toHaveLength(3);
  const approved = asks.map(({ approval }: { approval: { id: string } }) => approval.id);
  const done = await coder.run(code, { more: { ...more, approved } });
  expect(done.body).toMatchObject({ status: 'done', result: Array.from({ length: 6 }, () => true) });
  expect([...shop.orders.values()]).toEqual([1, 1, 1]);
  expect(shop.calls).toHaveLength(6);
});

test('the decision of a person sends the run on by itself, also where it waits', async () => {
  const service = await startConsole({ code: true });
  const shop = new Shop();
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  await runToolkit(service.url, toolkit.key, shop.define);
  const { key } = await service.keys.create({ kind: 'agent', name: 'coder', code: true, rules: [PEOPLE_ASK] });
  const caller = new Coder(service, key);
  const waiting = await caller.run(TWO_ORDERS);
  const { run, asks } = waiting.body;
  const notTheirs = await caller.run(TWO_ORDERS, { more: { run: 'other' } });
  expect(await caller.run(TWO_ORDERS, { more: { run: 'other', approved: [notTheirs.body.asks[0].approval.id] } })).toMatchObject({
    status: 403,
    body: { code: 'NOT_PERMITTED' },
  });
  const followed = caller.follow(run, 60);
  await service.owner.json('POST', `/v1/approvals/${asks[0].approval.id}`, { decision: 'approve' });
  const next = await followed;
  expect(next.body).toMatchObject({ status: 'waiting', asks: [{ payload: { item: 'bread' } }] });
  const last = caller.follow(run, 60);
  await service.owner.json('POST', `/v1/approvals/${next.body.asks[0].approval.id}`, { decision: 'deny', reason: 'enough' });
  expect((await last).body).toMatchObject({ status: 'done', result: { orders: [{ order: 1 }, 'APPROVAL_DENIED'] } });
});

test('only the own questions of a run are decided, by its key and not by a token', async () => {
  const { service, coder: own } = await setUp({ rules: [APP_ASKS] });
  const { asks } = (await own.run(TWO_ORDERS, { more: { run: 'mine' } })).body;
  const approved = [asks[0].approval.id];
  expect(await own.run('return 1;', { more: { run: 'new', approved } })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  const other = await coder(service, { rules: [APP_ASKS] });
  await other.run(TWO_ORDERS, { more: { run: 'theirs' } });
  expect(await other.run(TWO_ORDERS, { more: { run: 'theirs', approved } })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  });
  expect(await own.run(TWO_ORDERS, { more: { run: 'mine', refused: ['apr_none'] } })).toMatchObject({ status: 400 });
  const token = await own.ask('/v1/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ttlSeconds: 60 }),
  });
  const page = new Coder(service, token.body.token);
  expect(await page.run(TWO_ORDERS, { more: { run: 'mine', approved } })).toMatchObject({ status: 403, body: { code: 'NOT_PERMITTED' } });
});

test('a run waits for long work, which begins once, and gets its result', async () => {
  const { coder, shop } = await setUp();
  const code = `const film = await tools.shop.render({ item: 'film' }); return [film.data, (await tools.shop.price({ item: 'tea' })).data.cents];`;
  const { body } = await coder.run(code);
  expect(body).toMatchObject({ status: 'waiting', asks: [{ handle: expect.stringMatching(/^inv_/), action: 'shop__render' }] });
  await vi.waitFor(() => expect(shop.isBusyWith('film')).toBe(true), PATIENCE);
  const followed = coder.follow(body.run, 60);
  shop.end('film');
  expect((await followed).body).toMatchObject({ status: 'done', result: [{ packed: 'film' }, 300] });
  expect(shop.orders).toEqual(new Map([['film', 1]]));
});

test('an answer that no record has is given again in a replay', async () => {
  const { service, coder, shop } = await setUp({ rules: [APP_ASKS] });
  const code = `
    const there = await tools.other.there();
    const tea = await tools.shop.order({ item: 'tea' });
    return [there.error.code, tea.ok];`;
  const more = { run: 'mine' };
  const { asks } = (await coder.run(code, { more })).body;
  await service.toolkit('other', (other) => other.action({ action: 'there', actionDescription: 'Is there' }, () => true));
  const done = await coder.run(code, { more: { ...more, approved: [asks[0].approval.id] } });
  expect(done.body).toMatchObject({ status: 'done', result: ['ACTION_NOT_FOUND', true] });
  expect(shop.orders).toEqual(new Map([['tea', 1]]));
});

test('a cancelled run that waits ends at once', async () => {
  const { coder, shop } = await setUp({ rules: [APP_ASKS] });
  const { run } = (await coder.run(TWO_ORDERS)).body;
  await coder.cancel(run);
  expect((await coder.follow(run, 60)).body).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' }, ran: ['shop__price'] });
  expect(shop.orders.size).toBe(0);
});

test('the rules of the caller itself ask inside, too', async () => {
  const { coder, shop } = await setUp();
  const code = `return (await tools.shop.order({ item: 'tea' })).data;`;
  const named = { 'svc-ask': 'destructive', more: { run: 'mine' } };
  const { asks } = (await coder.run(code, named)).body;
  const approved = [asks[0].approval.id];
  expect((await coder.run(code, { ...named, more: { run: 'mine', approved } })).body).toMatchObject({ result: { order: 1 } });
  expect(shop.orders.get('tea')).toBe(1);
});

test('a run waits for an account, and goes on when its user has connected it', async () => {
  const stage = await startConnectStage({ type: 'bearer', from: 'user' }, { code: true });
  const caller = await coder(stage.service);
  const code = `const star = await tools.github.star(); return star.ok;`;
  const { body } = await caller.run(code, { 'svc-user-id': 'u_81' });
  expect(body).toMatchObject({
    status: 'waiting',
    asks: [{ connect: { toolkit: 'github', url: expect.any(String) }, action: 'github__star' }],
  });
  const followed = caller.follow(body.run, 60);
  const browser = stage.browser();
  const connected = codeOn(await browser.submit(await browser.open(body.asks[0].connect.url), { token: 'gho_secret_1' }));
  await caller.ask('/v1/connections/confirm', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: connected, userId: 'u_81' }),
  });
  expect((await followed).body).toMatchObject({ status: 'done', result: true });
  // The caller would have to send this one: waiting for it would not end.
  await stage.asks({ type: 'bearer', from: 'caller' });
  const refused = await caller.run(`return (await tools.github.star()).error.code;`);
  expect(refused.body).toMatchObject({ status: 'done', result: 'CONNECTION_REQUIRED' });
});
