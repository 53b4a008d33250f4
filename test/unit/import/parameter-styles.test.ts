/** The table "Style Examples" of OpenAPI 3.1.1, and what APIs use beside it. */
import { expect, test } from 'vitest';
import { encodePairs } from '../../../src/import/openapi/encode-body';
import { pathText, queryPairs, simpleText } from '../../../src/import/openapi/parameter-styles';

const LIST = ['blue', 'black', 'brown'];
const MAP = { R: 100, G: 200, B: 150 };
const query = (style: string, explode: boolean, value: unknown) =>
  queryPairs({ name: 'color', style, explode }, value)
    .map((pair) => pair.join('='))
    .join('&');

test.each([
  ['form', true, 'blue', 'color=blue'],
  ['form', true, LIST, 'color=blue&color=black&color=brown'],
  ['form', false, LIST, 'color=blue,black,brown'],
  ['form', true, MAP, 'R=100&G=200&B=150'],
  ['form', false, MAP, 'color=R,100,G,200,B,150'],
  ['spaceDelimited', false, LIST, 'color=blue black brown'],
  ['pipeDelimited', false, LIST, 'color=blue|black|brown'],
  ['deepObject', true, MAP, 'color[R]=100&color[G]=200&color[B]=150'],
  ['deepObject', true, { a: { b: [1, 2] }, c: [{ d: 3 }] }, 'color[a][b][]=1&color[a][b][]=2&color[c][0][d]=3'],
  ['form', true, false, 'color=false'],
  ['form', true, [], ''],
  ['form', true, null, ''],
])('query %s, explode %s, %j', (style, explode, value, text) => expect(query(style, explode, value)).toBe(text));

test.each([
  ['simple', false, LIST, 'blue,black,brown'],
  ['simple', false, MAP, 'R,100,G,200,B,150'],
  ['simple', true, MAP, 'R=100,G=200,B=150'],
  ['label', false, 'blue', '.blue'],
  ['label', true, LIST, '.blue.black.brown'],
  ['label', true, MAP, '.R=100.G=200.B=150'],
  ['matrix', false, 'blue', ';color=blue'],
  ['matrix', false, LIST, ';color=blue,black,brown'],
  ['matrix', true, LIST, ';color=blue;color=black;color=brown'],
  ['matrix', true, MAP, ';R=100;G=200;B=150'],
])('path %s, explode %s, %j', (style, explode, value, text) => {
  expect(pathText({ name: 'color', style, explode }, value, (part) => part)).toBe(text);
});

test('a header', () => {
  expect([simpleText({ explode: false }, LIST), simpleText({ explode: false }, MAP), simpleText({ explode: true }, MAP)]).toEqual([
    'blue,black,brown',
    'R,100,G,200,B,150',
    'R=100,G=200,B=150',
  ]);
});

test('names and values are encoded once', () => {
  expect(encodePairs([['filter[a&b]', 'x=1 %&+é']])).toBe('filter%5Ba%26b%5D=x%3D1%20%25%26%2B%C3%A9');
});
