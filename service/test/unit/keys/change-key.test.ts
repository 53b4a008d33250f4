/** Changes of a key's budget and rules; the other parts are in service/test/e2e/admin-keys.test.ts. */
import { expect, onTestFinished, test } from 'vitest';
import type { ChangeKeyRequest } from '#sdk/protocol/admin';
import type { Rule } from '#sdk/protocol/rules';
import { KeyRing } from '../../../src/keys/key-ring';
import { openSqliteStore } from '../../../src/store/sqlite/open';

async function setUp() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return new KeyRing(store);
}

test('a budget is set, changed, kept by a rotation, and removed', async () => {
  const ring = await setUp();
  const { id } = await ring.create({ kind: 'agent', name: 'x' });
  const given = await ring.change(id, { budget: { perCall: '0.50', perDay: '5' } });
  expect([given.before.budget, given.after.budget]).toEqual([null, { perCall: '0.5', perDay: '5' }]);
  await ring.change(id, { name: 'y' });
  const rotated = await ring.rotate(id);
  expect(rotated).toMatchObject({ name: 'y', budget: { perCall: '0.5', perDay: '5' } });
  expect(await ring.authenticate(`Bearer ${rotated.key}`, 'agent')).toMatchObject({ budget: { perCall: '0.5', perDay: '5' } });
  expect((await ring.change(id, { budget: null })).after.budget).toBeNull();
  expect(await ring.authenticate(`Bearer ${rotated.key}`, 'agent')).toMatchObject({ budget: null });
});

test('rules are set, replaced, kept by a rotation, and taken away', async () => {
  const ring = await setUp();
  const rules: Rule[] = [{ match: { hint: 'destructive' }, do: 'ask' }];
  const { id, ...created } = await ring.create({ kind: 'agent', name: 'x', rules });
  expect(created.rules).toEqual(rules);
  const others: Rule[] = [{ match: { action: 'shop__*', payload: [{ path: '/amount', above: 100 }] }, do: 'deny' }];
  const changed = await ring.change(id, { rules: others });
  expect([changed.before.rules, changed.after.rules]).toEqual([rules, others]);
  const rotated = await ring.rotate(id);
  expect(rotated.rules).toEqual(others);
  for (const none of [null, []]) {
    await ring.change(id, { rules: others });
    expect((await ring.change(id, { rules: none })).after.rules).toBeNull();
    expect(await ring.authenticate(`Bearer ${rotated.key}`, 'agent')).toMatchObject({ rules: null });
  }
  expect(await ring.create({ kind: 'agent', name: 'x', rules: [] })).not.toHaveProperty('rules');
  await expect(ring.create({ kind: 'toolkit', name: 'x', rules })).rejects.toThrow(/rules are for agent keys, this is a toolkit key/);
});

test.each<[object, RegExp]>([
  [{ budget: { perCall: '3', perDay: '2' } }, /budget\.perCall is 3, which is more than budget\.perDay, 2: lower perCall or raise perDay/],
  [{ budget: { perCall: '1' } }, /budget\.perDay must be a decimal text/],
  [{ budget: { perCall: 1, perDay: '2' } }, /budget\.perCall must be a decimal text/],
  [{ budget: { perCall: '0', perDay: '2' } }, /budget\.perCall must be more than 0/],
  [{ budget: '5' }, /budget must be \{"perCall"/],
  [{}, /send name, allow, callsPerMinute, budget, rules or code/],
])('%j is refused with what to write instead', async (asked, message) => {
  const ring = await setUp();
  const { id } = await ring.create({ kind: 'agent', name: 'x' });
  await expect(ring.change(id, asked as ChangeKeyRequest)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(message),
  });
});

test.each(['toolkit', 'admin'] as const)('a key of kind "%s" has no budget to change', async (kind) => {
  const ring = await setUp();
  const { id } = await ring.create({ kind, name: 'x' });
  for (const change of [
    { budget: { perCall: '1', perDay: '1' } },
    { budget: null },
    { rules: null },
    { allow: null },
    { callsPerMinute: null },
  ])
    await expect(ring.change(id, change)).rejects.toMatchObject({
      message: `Key ${id} cannot be changed: allow, callsPerMinute, budget, rules and code are for agent keys, this is of kind "${kind}": leave them out`,
    });
});
