import { expect, test } from 'vitest';
import { firstTogether, isOpenAlbum } from '../../../src/agent/clients/telegram/albums';

type Updates = Parameters<typeof firstTogether>[0];

/** An update for each letter: `a` and `b` belong to albums, `-` to none, `p` is a press. */
function updates(letters: string): Updates {
  return [...letters].map((letter, index) => ({
    update_id: index,
    ...(letter === 'p' ? { callback_query: {} } : { message: letter === '-' ? {} : { media_group_id: letter } }),
  })) as unknown as Updates;
}

test.each([
  ['', 0, false],
  ['-', 1, false],
  ['--', 1, false],
  ['pa', 1, false],
  ['a', 1, true],
  ['aaa', 3, true],
  ['aab', 2, false],
  ['aa-a', 2, false],
  ['ap', 1, false],
])('of %j the first %i are one message, and more may come: %s', (letters, count, isOpen) => {
  expect(firstTogether(updates(letters))).toHaveLength(count);
  expect(isOpenAlbum(updates(letters))).toBe(isOpen);
});
