import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { CreateKeyRequest } from '#sdk/protocol/http';
import { isToolkitId } from '#sdk/protocol/ids';
import { KeyRing } from '../../../src/keys/key-ring';
import { openSqliteStore } from '../../../src/store/sqlite/open';

async function setUp() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return { store, ring: new KeyRing(store) };
}

test('a toolkit key creates a toolkit, with a number if the id is taken', async () => {
  const { store, ring } = await setUp();
  const toolkits = [];
  for (const name of ['Sample Database!', 'sample database', 'Sample  Database'])
    toolkits.push((await ring.create({ kind: 'toolkit', name })).toolkit);
  expect(toolkits).toEqual(['sample-database', 'sample-database-2', 'sample-database-3']);
  expect((await store.catalog.toolkits())[0]).toMatchObject({ id: 'sample-database', name: 'Sample Database!', description: '' });
});

test('toolkit ids of any names are valid and different', async () => {
  const { ring } = await setUp();
  const names = fc.sample(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((name) => name.trim() !== '' && !/\p{Cc}/u.test(name)),
    50,
  );
  const ids = new Set<string>();
  for (const name of [
    ...names,
    ...names,
    'a'.repeat(60),
    'a'.repeat(60),
    `${'b'.repeat(30)} c`,
    `${'b'.repeat(29)} cd`,
    `${'b'.repeat(29)} cd`,
  ]) {
    const { toolkit = '' } = await ring.create({ kind: 'toolkit', name });
    expect(isToolkitId(toolkit)).toBe(true);
    expect(ids.has(toolkit)).toBe(false);
    ids.add(toolkit);
  }
});

test('a toolkit can have several keys, and a missing toolkit is created', async () => {
  const { store, ring } = await setUp();
  const keys = [
    await ring.create({ kind: 'toolkit', name: 'laptop', toolkit: 'weather' }),
    await ring.create({ kind: 'toolkit', name: 'server', toolkit: 'weather' }),
  ];
  expect(keys.map((key) => key.toolkit)).toEqual(['weather', 'weather']);
  expect(await store.catalog.toolkits()).toMatchObject([{ id: 'weather', name: 'weather' }]);
});

test.each<[object, RegExp]>([
  [{ kind: 'robot', name: 'x' }, /kind must be "agent", "toolkit" or "admin"/],
  [{ name: 'x' }, /kind must be/],
  [{ kind: 'agent' }, /name must be a text/],
  [{ kind: 'agent', name: '  ' }, /name must not be empty/],
  [{ kind: 'agent', name: 'x'.repeat(65) }, /name may have at most 64 characters/],
  [{ kind: 'agent', name: 'a\u001b[2J' }, /name must not hold control characters/],
  [{ kind: 'agent', name: 'x', toolkit: 'weather' }, /toolkit is for toolkit keys, this is an agent key/],
  [{ kind: 'toolkit', name: 'x', toolkit: 'Not Valid' }, /toolkit must be a toolkit id/],
  [{ kind: 'toolkit', name: 'x', allow: { toolkits: ['a'] } }, /allow is for agent keys, this is a toolkit key/],
  [{ kind: 'admin', name: 'x', callsPerMinute: 5 }, /callsPerMinute is for agent keys, this is an admin key/],
  [{ kind: 'agent', name: 'x', allow: {} }, /allow names nothing/],
  [{ kind: 'agent', name: 'x', allow: { toolkits: ['No!'] } }, /allow.toolkits.0 must be a toolkit id/],
  [{ kind: 'agent', name: 'x', allow: { actions: ['forecast'] } }, /allow.actions.0 must be an action id/],
  [{ kind: 'agent', name: 'x', callsPerMinute: 0 }, /callsPerMinute must be at least 1/],
  [{ kind: 'agent', name: 'x', callsPerMinute: 1.5 }, /callsPerMinute must be a whole number/],
  [{ kind: 'agent', name: 'x', callPerMinute: 5 }, /callPerMinute/],
  [{ kind: 'agent', name: 'x', budget: '5' }, /budget must be \{"perCall": …, "perDay": …\}, both of them amounts such as "0\.05"/],
  [{ kind: 'agent', name: 'x', budget: null }, /budget must be \{"perCall"/],
  [{ kind: 'agent', name: 'x', budget: { perCall: '1' } }, /budget\.perDay must be a decimal text .* such as "0\.05"/],
  [{ kind: 'agent', name: 'x', budget: { perDay: '1' } }, /budget\.perCall must be a decimal text/],
  [{ kind: 'agent', name: 'x', budget: { perCall: '1', perDay: '1', perWeek: '1' } }, /budget must be \{"perCall": …, "perDay": …\}/],
  [
    { kind: 'agent', name: 'x', budget: { perCall: '2', perDay: '1.999999' } },
    /perCall is 2, which is more than budget\.perDay, 1\.999999/,
  ],
  [{ kind: 'agent', name: 'x', budget: { perCall: '0', perDay: '1' } }, /budget\.perCall must be more than 0: a key without a budget/],
  [{ kind: 'agent', name: 'x', budget: { perCall: '0.000000', perDay: '0' } }, /budget\.perCall must be more than 0/],
  [{ kind: 'toolkit', name: 'x', budget: { perCall: '1', perDay: '1' } }, /budget is for agent keys, this is a toolkit key: leave it out/],
  [{ kind: 'admin', name: 'x', budget: { perCall: '1', perDay: '1' } }, /budget is for agent keys, this is an admin key/],
  [{ kind: 'agent', name: 'x', expiresInDays: 0 }, /expiresInDays must be more than 0/],
  [{ kind: 'agent', name: 'x', expiresInDays: 1e9 }, /expiresInDays may be at most 36500/],
  [JSON.parse('{"kind": "agent", "name": "x", "__proto__": {"callsPerMinute": 1}}'), /__proto__/],
])('%j is refused with what to write instead', async (asked, message) => {
  const { store, ring } = await setUp();
  await expect(ring.create(asked as CreateKeyRequest)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(message),
  });
  expect(await store.keys.list()).toEqual([]);
  expect(await store.catalog.toolkits()).toEqual([]);
});

test('a budget is kept in the shortest texts of its amounts', async () => {
  const { store, ring } = await setUp();
  const created = await ring.create({ kind: 'agent', name: 'x', budget: { perCall: '0.10', perDay: '5.000000' } });
  expect(created.budget).toEqual({ perCall: '0.1', perDay: '5' });
  expect((await store.keys.find(created.id))?.budget).toEqual({ perCall: '0.1', perDay: '5' });
  const largest = { perCall: '999999999999.999999', perDay: '999999999999.999999' };
  expect(await ring.create({ kind: 'agent', name: 'x', budget: largest })).toMatchObject({ budget: largest });
  expect(await ring.create({ kind: 'agent', name: 'x' })).not.toHaveProperty('budget');
});

const NO_AMOUNTS = [
  0.1,
  5,
  null,
  {},
  '',
  ' 1',
  '1e3',
  '1E3',
  '+1',
  '-1',
  '1,5',
  '1.000,5',
  '.5',
  '5.',
  '05',
  '1.1234567',
  '1000000000000',
  '١',
  '1 USD',
];

test.each(NO_AMOUNTS)('%j is not an amount, and the answer has the format', async (amount) => {
  const { ring } = await setUp();
  for (const part of ['perCall', 'perDay']) {
    const budget = { perCall: '1', perDay: '1', [part]: amount };
    const message = `The key cannot be made: budget.${part} must be a decimal text with at most 12 digits before the point and 6 behind it, such as "0.05"`;
    await expect(ring.create({ kind: 'agent', name: 'x', budget } as CreateKeyRequest)).rejects.toMatchObject({ message });
  }
});
