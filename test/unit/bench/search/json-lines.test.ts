import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { readJsonLines } from '../../../../bench/retrieval/json-lines.ts';
import { actionLine, logLine, queryLine, toolkitLine } from '../../../../bench/retrieval/lines.ts';
import { makeFolder } from '../../../support/folder';

const QUERY = { qid: 'q1', src: 'shop', query: 'buy tea', relevant: ['shop/buy'] };

function fileOf(content: string | Buffer): string {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'lines.jsonl');
  writeFileSync(file, content);
  return file;
}

test('a gzipped file is read like a plain one; empty lines and a byte order mark are passed over', () => {
  const text = `\uFEFF${JSON.stringify(QUERY)}\r\n\n${JSON.stringify({ ...QUERY, qid: 2 })}\n`;
  const lines = readJsonLines(fileOf(text), queryLine);
  expect(lines.map(({ qid }) => qid)).toEqual(['q1', '2']);
  expect(readJsonLines(fileOf(gzipSync(text)), queryLine)).toEqual(lines);
});

test('a line that is not JSON is named by file and number', () => {
  const file = fileOf(`${JSON.stringify(QUERY)}\n\n{"qid": `);
  expect(() => readJsonLines(file, queryLine)).toThrow(`${file}:3 is not JSON`);
});

test('a line without what is needed is named with what it lacks', () => {
  const file = fileOf(`${JSON.stringify(QUERY)}\n${JSON.stringify({ ...QUERY, relevant: 'shop/buy' })}`);
  expect(() => readJsonLines(file, queryLine)).toThrow(/:2 does not fit:[\s\S]*expected array[\s\S]*relevant/);
});

test('an empty file, a missing file and half of a gzipped file have their own errors', () => {
  const file = fileOf(' \n');
  expect(() => readJsonLines(file, queryLine)).toThrow(`${file} is empty`);
  expect(() => readJsonLines(`${file}.gone`, queryLine)).toThrow(/Cannot read .*gone: ENOENT/);
  const half = fileOf(gzipSync(JSON.stringify(QUERY)).subarray(0, 20));
  expect(() => readJsonLines(half, queryLine)).toThrow(/Cannot read .*: unexpected end of file/);
});

test('everything but an id may be missing', () => {
  const file = fileOf(JSON.stringify({ id: 'shop/tea/buy', description: null }));
  expect(readJsonLines(file, actionLine)).toEqual([
    { id: 'shop/tea/buy', src: 'svc', toolkit: 'svc', name: 'buy', description: '', payload: undefined },
  ]);
  expect(readJsonLines(file, toolkitLine)).toEqual([{ id: 'shop/tea/buy', src: 'svc', name: 'buy', description: '' }]);
  expect(readJsonLines(fileOf('{"query": "tea", "relevant": []}'), logLine)).toEqual([
    { src: 'svc', split: undefined, query: 'tea', relevant: [] },
  ]);
});
