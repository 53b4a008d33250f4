import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Spellings } from '../../../src/catalog/search/spellings';
import { term } from '../../../src/catalog/search/term';

function spellingsOf(...words: string[]): Spellings {
  const spellings = new Spellings();
  for (const word of words) spellings.add(word, term(word));
  return spellings;
}

test.each([
  ['another letter', 'calender'],
  ['a letter too few', 'calndar'],
  ['a letter too many', 'callendar'],
  ['two letters swapped', 'caelndar'],
])('a word is found with %s', (_, misspelled) => {
  expect(spellingsOf('calendar', 'candle').near(misspelled)).toEqual(['calendar']);
});

test('words that are further off, short ones and the word itself are not found', () => {
  const spellings = spellingsOf('calendar', 'cat', 'issue');
  expect(spellings.near('calndr')).toEqual([]);
  expect(spellings.near('car')).toEqual([]);
  expect(spellings.near('issue')).toEqual([]);
  expect(spellings.near('issues!')).toEqual([]);
});

test('a word that was removed is not found, and can be added again', () => {
  const spellings = spellingsOf('calendar');
  spellings.remove(term('calendar'));
  expect(spellings.near('calender')).toEqual([]);
  spellings.add('calendar', term('calendar'));
  expect(spellings.near('calender')).toEqual(['calendar']);
});

test('every misspelling of a random word finds the word, also after the table has grown', () => {
  const word = fc.stringMatching(/^[a-z]{4,9}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 300 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('x', ''),
      (words, which, where, letter) => {
        const chosen = words[which % words.length] as string;
        const at = where % chosen.length;
        const misspelled = chosen.slice(0, at) + letter + chosen.slice(at + 1);
        fc.pre(misspelled.length >= 4 && misspelled !== chosen);
        expect(spellingsOf(...words).near(misspelled)).toContain(chosen);
      },
    ),
  );
});
