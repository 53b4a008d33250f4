import { expect, test } from 'vitest';
import { parseGoldenQueries, readGoldenFile } from '../../../cli/lint/golden-file';

const parse = (text: string) => parseGoldenQueries(text, { path: 'queries.yaml', toolkitId: 'weather' });

test('a query names one action or several, by name or by id', () => {
  expect(parse('# golden\nwill it rain: forecast\n\n"2024: warm?": [today, shop__find_orders]\nlist:\n  - today\n')).toEqual([
    { query: 'will it rain', actions: ['weather__forecast'], line: 2 },
    { query: '2024: warm?', actions: ['weather__today', 'shop__find_orders'], line: 4 },
    { query: 'list', actions: ['weather__today'], line: 5 },
  ]);
});

test.each([
  ['', 1, /the file has no queries; write one query a line/],
  ['- today', 1, /the file has no queries/],
  ['just a text', 1, /the file has no queries/],
  ['a: today\nb:', 2, /"b" needs the name of an action/],
  ['a: today\nb: []', 2, /"b" has an empty list/],
  ['a: today\nb: {x: y}', 2, /"b" needs the name of an action/],
  ['a: today\nb:\n  - today\n  - 3', 4, /"b" needs the name of an action/],
  ['a: [today, weather__today]', 1, /"a" names an action twice/],
  ['a: today\n2024: today', 2, /a query is a text; put it in quotes/],
  ['a: today\n\na: forecast', 3, /twice; write all its actions in one list/],
  ['a: today\nb: "today', 2, /quote; write one query a line, such as/],
  ['a: &x today\nb: *x', 2, /"b" needs the name of an action/],
  ['a: !mine today', 1, /tag/i],
])('%j is refused at its line', (text, line, said) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(said) }));
  expect(() => parse(text)).toThrow(`queries.yaml:${line}: `);
});

test('a missing file is reported', () => {
  expect(() => readGoldenFile('/nowhere/queries.yaml', 'weather')).toThrow(/^\/nowhere\/queries\.yaml cannot be read: /);
});
