/** The table "Style Examples" of OpenAPI 3.1.1, and what APIs use beside it. */
import { expect, test } from 'vitest';
import { encodedPair, joinPairs, pathText, queryPairs, simpleText } from '../../../import/openapi/parameter-styles';
import { encodeStrictly } from '../../../import/openapi/path-value';
import { context } from './context';

const LIST = ['blue', 'black', 'brown'];
const MAP = { R: 100, G: 200, B: 150 };
const query = (style: string, explode: boolean, value: unknown) =>
  joinPairs(queryPairs({ name: 'color', style, explode }, value, { encode: encodeStrictly, ctx: context() }), '&');

test.each([
  ['form', true, 'blue', 'color=blue'],
  ['form', true, LIST, 'color=blue&color=black&color=brown'],
  ['form', false, LIST, 'color=blue,black,brown'],
  ['form', true, MAP, 'R=100&G=200&B=150'],
  ['form', false, MAP, 'color=R,100,G,200,B,150'],
  ['spaceDelimited', false, LIST, 'color=blue%20black%20brown'],
  ['pipeDelimited', false, LIST, 'color=blue%7Cblack%7Cbrown'],
  ['deepObject', true, MAP, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  [
    'deepObject',
    true,
    { a: { b: [1, 2] }, c: [{ d: 3 }] },
    'color%5Ba%5D%5Bb%5D%5B%5D=1&color%5Ba%5D%5Bb%5D%5B%5D=2&color%5Bc%5D%5B0%5D%5Bd%5D=3',
  ],
  ['spaceDelimited', false, MAP, 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, MAP, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['tabDelimited', false, LIST, 'color=blue%09black%09brown'],
  ['form', false, ['a,b', 'c&d'], 'color=a%2Cb,c%26d'],
  ['form', false, { a: 'x,y' }, 'color=a,x%2Cy'],
  ['pipeDelimited', false, ['a,b', 'c d'], 'color=a%2Cb%7Cc%20d'],
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
  expect(pathText({ name: 'color', style, explode }, value, { encode: encodeStrictly, ctx: context() })).toBe(text);
});

test.each([
  [false, LIST, 'blue,black,brown'],
  [false, MAP, 'R,100,G,200,B,150'],
  [true, MAP, 'R=100,G=200,B=150'],
  [false, 'Mon, 1 Jan', 'Mon, 1 Jan'],
])('a header, explode %s, %j', (explode, value, text) =>
  expect(simpleText({ name: 'color', style: 'simple', explode }, value, context())).toBe(text),
);

test.each([
  ['spaceDelimited', ['a b', 'c'], '" "'],
  ['pipeDelimited', ['a|b'], '"|"'],
  ['tabDelimited', ['a\tb', 'c'], '"\\t"'],
  ['pipeDelimited', { a: 'b|c' }, '"|"'],
])('a value in a list of style %s that holds its separator is refused: %j', (style, value, shown) => {
  const problem = { code: 'INVALID_LIST_VALUE', message: expect.stringContaining(shown) };
  expect(() => query(style, false, value)).toThrow(expect.objectContaining(problem));
});

test('a header rejects a comma in a value, which is ambiguous with a separator', () => {
  expect(() => simpleText({ name: 'color', style: 'simple', explode: false }, ['a,b', 'c'], context())).toThrow(
    expect.objectContaining({ code: 'INVALID_LIST_VALUE' }),
  );
});

test('a path distinguishes a comma in a value from a comma between values', () => {
  expect(pathText({ name: 'days', style: 'simple', explode: false }, ['mo,tu', 'we'], { encode: encodeStrictly, ctx: context() })).toBe(
    'mo%2Ctu,we',
  );
});

test('names and values are encoded once', () => {
  expect(joinPairs([encodedPair('filter[a&b]', 'x=1 %&+é')], '&')).toBe('filter%5Ba%26b%5D=x%3D1%20%25%26%2B%C3%A9');
});
