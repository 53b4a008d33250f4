/** `npm run learn:rank` on the sample of the data. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readRankWeights } from '../../service/src/catalog/search';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const sample = (name: string) => join(ROOT, `test/data/retrieval/${name}.jsonl`);
const FILES = ['--actions', sample('actions'), '--toolkits', sample('toolkits')];

function run(args: string[]) {
  const [, command = ''] = packageJson.scripts['learn:rank'].split(' && node ');
  return startProcess(process.execPath, [...command.split(' '), ...FILES, ...args], { cwd: ROOT }).ended;
}

test('the weights are those that a service takes, the same in every run, and better than words alone', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const [first, second] = [join(path, 'first.json'), join(path, 'second.json')];
  const { code, stdout, stderr } = await run(['--queries', sample('queries'), '--out', first]);
  await run(['--queries', sample('queries'), '--out', second]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const weights = JSON.parse(readFileSync(first, 'utf8'));
  expect(readRankWeights(weights)).toBe(weights);
  expect(weights).toMatchObject({ words: 1 });
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));
  const [, words, , , learned] = /^mean over sources +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$/m.exec(stdout)?.slice(1) ?? [];
  expect(Number(learned)).toBeGreaterThan(Number(words));
});

test('a file without a relevant action ends it with one sentence', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const queries = join(path, 'queries.jsonl');
  writeFileSync(queries, `${JSON.stringify({ qid: 'a', split: 'log', query: 'send mail', relevant: [] })}\n`);
  const { code, stderr } = await run(['--queries', queries]);
  expect(code).toBe(1);
  expect(stderr).toContain('names a relevant action');
});
