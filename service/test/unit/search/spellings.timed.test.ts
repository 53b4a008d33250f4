import { expect, test } from 'vitest';
import { Spellings } from '../../../src/catalog/search/spellings';
import { term } from '../../../src/catalog/search/term';

test('adding and removing words a hundred thousand times costs neither memory nor time', () => {
  const spellings = new Spellings();
  spellings.add('calendar', term('calendar'));
  const before = process.memoryUsage().arrayBuffers;
  const start = performance.now();
  for (let round = 0; round < 100_000; round++) {
    for (const word of ['forecast', `invoice${letters(round)}`]) {
      spellings.add(word, term(word));
      spellings.remove(term(word));
    }
  }
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6);
  expect(spellings.near('calender')).toEqual(['calendar']);
});

function letters(number: number): string {
  return [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
}
