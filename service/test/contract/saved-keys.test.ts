import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KEYS_PER_PAGE, type KeyPair, SavedKeys } from '../../src/store/sqlite/saved-keys';

test('no stored or pending key is denied, and nearly every other key is', async () => {
  const saved = Array.from({ length: KEYS_PER_PAGE * 3 }, (_, index): KeyPair => ['key_a', `saved-${String(index).padStart(5, '0')}`]);
  const keys = new SavedKeys(
    ([, last]) => saved.filter(([, key]) => key > last).slice(0, KEYS_PER_PAGE),
    (error) => expect.unreachable(String(error)),
  );
  // The answer is unknown until all keys have been read.
  expect(keys.mayHold('key_a fresh')).toBe(true);
  keys.add('key_a meanwhile');
  for (let turn = 0; turn < 5; turn++) await setImmediate();

  expect(keys.mayHold('key_a meanwhile')).toBe(true);
  for (const pair of saved) expect(keys.mayHold(pair.join(' '))).toBe(true);
  const fresh = Array.from({ length: 1_000 }, (_, index) => keys.mayHold(`key_b saved-${index}`));
  expect(fresh.filter((may) => may).length).toBeLessThan(10);
});
