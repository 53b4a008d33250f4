/** `npm run eval:search` on the sample of the data. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EmbeddingsServer } from '../support/embeddings-server';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const sample = (name: string) => join(ROOT, `test/data/retrieval/${name}.jsonl`);
const FILES = ['--actions', sample('actions'), '--toolkits', sample('toolkits'), '--queries', sample('queries')];
const METRICS = ['ndcg10', 'recall1', 'recall3', 'recall5', 'recall10', 'mrr', 'hit1'];
const SOURCES = ['aci', 'apibank', 'bfcl', 'metatool', 'nestful', 'restbench', 'sealtools', 'toolalpaca'];

function run(args: string[]) {
  const [, command = ''] = packageJson.scripts['eval:search'].split(' && node ');
  return startProcess(process.execPath, [...command.split(' '), ...args], { cwd: ROOT }).ended;
}

async function resultOf(args: string[]) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const json = join(path, 'out.json');
  const { code, stdout, stderr } = await run([...FILES, '--json', json, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return { stdout, json: JSON.parse(readFileSync(json, 'utf8')) };
}

test('the whole catalogue beside the peers: every figure with its interval, by source and pooled', async () => {
  const { stdout, json } = await resultOf([]);
  expect(json).toMatchObject({ split: 'dev', catalogue: 'all', build: { actions: 320 }, notes: [] });
  expect(Object.keys(json.sources)).toEqual(SOURCES);
  for (const summary of [json.pooled, ...Object.values<typeof json.pooled>(json.sources)]) {
    for (const metric of METRICS) {
      const [from, to] = summary.intervals[metric];
      expect(from).toBeLessThanOrEqual(summary[metric]);
      expect(summary[metric]).toBeLessThanOrEqual(to);
      expect(from >= 0 && to <= 1).toBe(true);
    }
  }
  expect([json.pooled.queries, json.sources.aci.queries]).toEqual([96, 12]);
  expect(json.pooled.ndcg10).toBeGreaterThan(0.6);
  expect(json.pooled.recall1 <= json.pooled.recall3 && json.pooled.recall3 <= json.pooled.recall10).toBe(true);
  for (const figure of [json.latency.p50Ms, json.latency.p99Ms, json.build.ms, json.memory.heapMb, json.memory.peakRssMb])
    expect(figure).toBeGreaterThan(0);
  const peers = Object.entries<typeof json>(json.peers);
  expect(peers.map(([name]) => name)).toEqual(['FTS5 porter', 'FTS5 porter, split names, stop words', 'MiniSearch']);
  for (const [name, { pooled }] of peers) {
    expect(pooled.ndcg10, name).toBeGreaterThan(0.3);
    expect(stdout).toContain(name);
  }
});

test('the eval sends peers the requested number of queries per source', async () => {
  const { json } = await resultOf(['--peer-queries', '2']);
  expect(json.pooled.queries).toBe(96);
  for (const { pooled } of Object.values<typeof json>(json.peers)) expect(pooled.queries).toBe(2 * SOURCES.length);
});

test('with a log, the result without it and the difference are reported too', async () => {
  const { stdout, json } = await resultOf(['--no-peers', '--log', sample('queries')]);
  expect(json.peers).toEqual({});
  expect(json.lexical.pooled.ndcg10).toBeGreaterThan(0.6);
  expect(json.pooled.ndcg10).not.toBe(json.lexical.pooled.ndcg10);
  expect(Object.keys(json.sources)).toEqual(SOURCES);
  expect(json.effects.total).toMatchObject({ queries: 96 });
  expect(Object.keys(json.effects.sources)).toEqual(SOURCES);
  expect(Object.values<{ queries: number }>(json.effects.history).reduce((sum, { queries }) => sum + queries, 0)).toBe(96);
  expect(stdout).toContain('what the log changes');
  expect(stdout).toContain('104 logged searches');
});

test('with an embedding server, the result by meaning is reported too, alone and with the log', async () => {
  const server = await EmbeddingsServer.start();
  const { json, stdout } = await resultOf(['--no-peers', '--log', sample('queries'), '--embeddings-url', server.url]);
  expect(stdout).toContain('svc-sdk with embeddings');
  expect(stdout).toContain('svc-sdk with both');
  expect(json.embeddings.pooled.queries).toBe(96);
  expect(json.embeddings.pooled.ndcg10).not.toBe(json.lexical.pooled.ndcg10);
  expect(json.both.pooled.ndcg10).not.toBe(json.pooled.ndcg10);
  expect(server.texts.length).toBeGreaterThan(320);
});

test('a smaller catalogue is easier, and the same run gives the same figures', async () => {
  const [all, bench, own, again] = [
    await resultOf(['--no-peers']),
    await resultOf(['--no-peers', '--catalogue', 'bench']),
    await resultOf(['--no-peers', '--catalogue', 'own']),
    await resultOf(['--no-peers', '--catalogue', 'own']),
  ];
  // Every source of the sample has queries.
  expect(bench.json.pooled).toEqual(all.json.pooled);
  expect(own.json.pooled.ndcg10).toBeGreaterThan(all.json.pooled.ndcg10);
  expect(again.json.sources).toEqual(own.json.sources);
});

test('files of a source never seen, gzipped, with odd ids, without payloads or toolkits', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const write = (name: string, rows: object[]) => {
    const file = join(path, name);
    writeFileSync(file, gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')));
    return file;
  };
  const actions = write('actions', [
    { id: 'new src/天気 💥/get', src: 'new src', name: 'get weather' },
    { id: '2', src: 'other' },
  ]);
  const toolkits = write('toolkits', [{ id: 'new src/x', src: 'new src' }]);
  const queries = write('queries', [
    { qid: 1, src: 'new src', query: 'the weather', relevant: ['new src/天気 💥/get'] },
    { qid: 2, src: 'new src', query: '', relevant: ['gone'] },
  ]);
  const json = join(path, 'out.json');
  const args = ['--actions', actions, '--toolkits', toolkits, '--queries', queries, '--split', 'held-out', '--json', json];
  expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 relevant actions are in no file') });
  const { sources } = JSON.parse(readFileSync(json, 'utf8'));
  expect(sources).toMatchObject({ 'new src': { hit1: 0.5, queries: 2 } });
});

test('a fault in files or options ends the bench with one sentence; exit code 2 is for options', async () => {
  const cases: [string[], number, string][] = [
    [[...FILES, '--split', 'tset'], 1, 'No query of the split "tset" names a relevant action; there are "dev", "log"'],
    [[...FILES, '--queries', 'nowhere.jsonl'], 1, 'Cannot read nowhere.jsonl: ENOENT'],
    [[...FILES, '--toolkits', 'package.json'], 1, 'package.json:1 is not JSON'],
    [[...FILES, '--catalogue', 'some'], 2, 'Allowed choices are own, bench, all'],
    [[...FILES, '--catalog', 'own'], 2, "unknown option '--catalog'"],
    [FILES.slice(2), 2, "required option '--actions <file...>' not specified"],
  ];
  for (const [args, exitCode, message] of cases) {
    const { code, stderr } = await run(args);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  }
});
