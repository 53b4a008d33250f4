import { expect, test } from 'vitest';
import { cutAtWord, firstSentence } from '../../../src/catalog/answer/first-sentence';

test.each([
  ['Sends an e-mail.', 'Sends an e-mail.'],
  ['Gets the weather of a city. Needs a key.', 'Gets the weather of a city.'],
  ['Reads a unit, e.g. "km" or "mi", of the table. Then converts it.', 'Reads a unit, e.g. "km" or "mi", of the table.'],
  ['Calls https://api.example.com/v1.0/items?q=a.b for you. Slowly.', 'Calls https://api.example.com/v1.0/items?q=a.b for you.'],
  ['Version 2.5 of the API of Acme Inc. is what it calls. More follows.', 'Version 2.5 of the API of Acme Inc. is what it calls.'],
  ['# Send mail\n\nSends one **mail** to [somebody](https://example.com/a). Needs a key.', 'Send mail Sends one mail to somebody.'],
  ['- first thing it does\n- second thing', 'first thing it does second thing'],
  ['Lists the members of a team\n\nArgs:\n  team: the team', 'Lists the members of a team'],
  ['Sends mail to everybody.\n\nReturns nothing.', 'Sends mail to everybody.'],
  ['Wrapped over\ntwo lines, and then. More of it.', 'Wrapped over two lines, and then.'],
  ['<p>Finds an order by its number.</p><br/>Or not.', 'Finds an order by its number.'],
  ['Hi! Finds orders by number or by name. Yes.', 'Hi! Finds orders by number or by name.'],
  ['取得指定城市的天气预报并返回温度湿度风速和降水概率。需要城市名称。', '取得指定城市的天气预报并返回温度湿度风速和降水概率。'],
  ['', ''],
])('%j -> %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});

test('a long sentence ends at a word with a sign that there is more, and never within a character', () => {
  const words = firstSentence('many words '.repeat(100));
  expect(words.length).toBeLessThanOrEqual(160);
  expect(words).toMatch(/ (many|words)…$/);
  const pairs = firstSentence('😀'.repeat(200));
  expect(pairs.length).toBeLessThanOrEqual(160);
  expect(pairs.isWellFormed()).toBe(true);
});

test('a text that fits is not touched', () => {
  expect(cutAtWord('just fits', 9)).toBe('just fits');
  expect(cutAtWord('does not fit', 9)).toBe('does not…');
});
