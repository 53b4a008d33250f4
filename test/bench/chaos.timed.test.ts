/** A short run of the chaos harness: the whole service, its toolkits and callers as processes, and faults every second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const HARNESS = fileURLToPath(new URL('../../bench/chaos.ts', import.meta.url));

async function runChaos(...args: string[]) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const json = join(path, 'chaos.json');
  const shared = ['--seconds', '10', '--toolkits', '2', '--replicas', '2', '--rate', '50', '--json', json];
  const run = startProcess(process.execPath, [HARNESS, ...shared, ...args]);
  onTestFinished(async () => {
    run.kill('SIGTERM');
    await run.ended;
  });
  const { code, stdout, stderr } = await run.ended;
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(readFileSync(json, 'utf8'));
}

test('one node on SQLite meets the guarantees while node and toolkits are killed, paused and disconnected', {
  timeout: 150_000,
}, async () => {
  const report = await runChaos('--sqlite', '--nodes', '1', '--seed', '4');
  expect(report.calls).toBeGreaterThan(500);
  expect(report.breaches).toMatchObject({ lost: 0, doubled: 0, unapproved: 0, denied: 0, hung: 0, inconsistent: 0 });
});

test('replicas in TypeScript, Python and Rust share a toolkit and meet the guarantees', {
  timeout: 600_000, // The first run compiles the Rust crate.
  tags: ['python', 'cargo'],
}, async () => {
  const languages = ['--replicas', '3', '--languages', 'ts,python,rust'];
  const { runsByLanguage, breaches } = await runChaos('--sqlite', '--nodes', '1', '--seed', '6', ...languages);
  expect(Object.keys(runsByLanguage).toSorted()).toEqual(['python', 'rust', 'ts']);
  expect(Math.min(runsByLanguage.ts, runsByLanguage.python, runsByLanguage.rust)).toBeGreaterThan(60);
  expect(breaches).toMatchObject({ lost: 0, doubled: 0, unapproved: 0, denied: 0, hung: 0, inconsistent: 0 });
});

test('two nodes on PostgreSQL and NATS meet the guarantees through faults of every part', {
  timeout: 150_000,
  tags: ['postgres', 'nats'],
}, async () => {
  const report = await runChaos('--nodes', '2', '--seed', '1');
  expect(report.calls).toBeGreaterThan(500);
  expect(report.breaches).toMatchObject({ lost: 0, doubled: 0, unapproved: 0, denied: 0, hung: 0, inconsistent: 0 });
});
