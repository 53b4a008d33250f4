/** `npm run eval:translations` on the sample of the data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EmbeddingsServer } from '../support/embeddings-server';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const sample = (name: string) => join(ROOT, `test/data/retrieval/${name}.jsonl`);
const CATALOGUE = ['--actions', sample('actions'), '--toolkits', sample('toolkits')];

/** The cells of the table by language. */
async function rowsOf(args: string[]): Promise<Record<string, string[]>> {
  const [, command = ''] = packageJson.scripts['eval:translations'].split(' && node ');
  const { code, stdout, stderr } = await startProcess(process.execPath, [...command.split(' '), ...CATALOGUE, ...args], { cwd: ROOT })
    .ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = stdout.trim().split('\n').slice(3);
  return Object.fromEntries(rows.map((row) => row.split(/\s{2,}/)).map(([language = '', ...cells]) => [language, cells]));
}

test('the translations of the repository: 40 queries in each of five languages', async () => {
  const rows = await rowsOf([]);
  expect(Object.keys(rows)).toEqual(['en', 'de', 'fr', 'es', 'zh']);
  for (const [queries] of Object.values(rows)) expect(queries).toBe('40');
});

test('a query in another language than the catalogue is found by meaning alone', async () => {
  const server = await EmbeddingsServer.start();
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const queries = join(path, 'queries.jsonl');
  const asked = { qid: 1, src: 'toolalpaca', relevant: ['toolalpaca/apilayer_weatherstack/current_get'] };
  writeFileSync(
    queries,
    [
      { ...asked, split: 'en', query: 'weather' },
      { ...asked, split: 'de', query: 'niederschlag' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const { en, de } = await rowsOf(['--catalogue', 'all', '--queries', queries, '--embeddings-url', server.url]);
  expect(Number(en?.[3])).toBe(1);
  expect(Number(de?.[3])).toBe(0);
  expect(Number(de?.[6])).toBe(1);
});
