import { expect, test } from 'vitest';
import { LineReader } from '../../../src/sandbox/child/line-reader';

test('lines end at line feeds alone, wherever the chunks end', () => {
  const lines: string[] = [];
  const reader = new LineReader(100, (line) => lines.push(line));
  for (const byte of Buffer.from('{"a":"é\u2028\u2029"}\n\n{"b":1}\nrest')) expect(reader.push(Buffer.of(byte))).toBe(true);
  expect(lines).toEqual(['{"a":"é\u2028\u2029"}', '', '{"b":1}']);
});

test('a line beyond the limit is refused, complete or not', () => {
  const lines: string[] = [];
  const unfinished = new LineReader(5, (line) => lines.push(line));
  expect(unfinished.push(Buffer.from('12345\n123'))).toBe(true);
  expect(unfinished.push(Buffer.from('456'))).toBe(false);
  const complete = new LineReader(5, (line) => lines.push(line));
  expect(complete.push(Buffer.from('123456\n1\n'))).toBe(false);
  expect(lines).toEqual(['12345']);
});
