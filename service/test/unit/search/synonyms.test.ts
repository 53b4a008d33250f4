import { expect, test } from 'vitest';
import { stem } from '../../../src/catalog/search/stem';
import { synonyms } from '../../../src/catalog/search/synonyms';
import { tokenize } from '../../../src/catalog/search/tokenize';

const standFor = (word: string) => (synonyms().get(stem(word)) ?? []).map(({ spelling }) => spelling);

test('words of a group stand for one another', () => {
  expect(standFor('delete')).toContain(stem('remove'));
  expect(standFor('remove')).toContain(stem('delete'));
});

test('a narrower word finds the wider one, and not the reverse', () => {
  expect(standFor('tweet')).toContain(stem('twitter'));
  expect(standFor('twitter')).not.toContain(stem('tweet'));
});

test('families of words whose stems differ are one group', () => {
  expect(standFor('conversion')).toContain(stem('convert'));
  expect(standFor('historical')).toContain(stem('history'));
});

test('every word is one that a text can hold: a stem, and no stop word', () => {
  const all = [...synonyms()].flatMap(([from, others]) => [from, ...others.map(({ spelling }) => spelling)]);
  // Stemming can shorten a stem again, so a stem is found as itself within a text that has the word.
  const lost = [...new Set(all)].filter((word) => tokenize(word).words.length === 0);
  expect(lost).toEqual([]);
});

test('no word has enough synonyms to outweigh the query', () => {
  const most = Math.max(...Array.from(synonyms().values(), (others) => others.length));
  expect(most).toBeLessThanOrEqual(24);
});
