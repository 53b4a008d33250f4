/**
 * `npm run vectors:mutate`: plays the vectors with each mistake of `mutations.ts` in the SDK, two at a time, and prints which vector catches it.
 * `npm run vectors:mutate -- cancel` plays those with that word in their name, `-- --tenth` a tenth of them, another one each day.
 *
 * Errors: exit code 1 when a mistake passes, when a mutation does not fit the source any more, and when the vectors fail without a mistake.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTATIONS, type Mutation, mutate } from './mutations.ts';

interface Report {
  success: boolean;
  testResults: { assertionResults: { status: string; title: string }[] }[];
}

interface Played {
  name: string;
  /** `passed`: no vector failed. `broken`: the tests did not run. */
  outcome: 'caught' | 'passed' | 'broken';
  /** The first vector that failed. */
  by: string;
}

const AT_A_TIME = 2;
const DAY_MS = 86_400_000;
/** The test file of each side, and of what both share. */
const PLAYERS = {
  'src/tools/': 'test/vectors/tools.test.ts',
  'src/toolkit/': 'test/vectors/toolkit-socket.test.ts',
  'src/protocol/': 'test/vectors/tables.test.ts',
};
const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-mutations-'));
const {
  values: { tenth },
  positionals: [word = ''],
} = parseArgs({ options: { tenth: { type: 'boolean' } }, allowPositionals: true });

try {
  const today = Math.floor(Date.now() / DAY_MS);
  const mutations = MUTATIONS.filter(({ name }, index) => name.includes(word) && (!tenth || index % 10 === today % 10));
  for (const mutation of mutations) mutate(mutation, readFileSync(join(root, mutation.file), 'utf8'));
  await expectUnchangedToPass();
  const played = await playAll(mutations);
  const missed = played.filter(({ outcome }) => outcome !== 'caught');
  console.log(`${played.length - missed.length} of ${played.length} mistakes are caught`);
  if (missed.length > 0 || played.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function expectUnchangedToPass(): Promise<void> {
  const files = Object.values(PLAYERS);
  const { outcome, by } = await play('unchanged', files);
  if (outcome !== 'passed') throw new Error(`The vectors fail without a mistake: ${by}`);
}

async function playAll(mutations: Mutation[]): Promise<Played[]> {
  const played: Played[] = [];
  const waiting = mutations.values();
  const work = async () => {
    for (const { name, file } of waiting) {
      const player = Object.entries(PLAYERS).find(([place]) => file.startsWith(place))?.[1];
      if (!player) throw new Error(`${name}: no vectors play ${file}`);
      const result = await play(name, [player], name);
      played.push(result);
      console.log(`${result.outcome.padEnd(7)} ${name.padEnd(72)} ${result.by}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return played;
}

async function play(name: string, files: string[], mutation?: string): Promise<Played> {
  let run = await runVitest(files, mutation, ['--bail=1']);
  // The report of a run that stops at its first failure sometimes lacks that failure.
  if (!run.success && !run.failed) run = await runVitest(files, mutation, []);
  if (run.failed) return { name, outcome: 'caught', by: run.failed };
  return run.success ? { name, outcome: 'passed', by: '' } : { name, outcome: 'broken', by: 'the tests did not run' };
}

/** `failed` is the first test that failed. */
async function runVitest(files: string[], mutation: string | undefined, options: string[]): Promise<{ success: boolean; failed?: string }> {
  const report = join(folder, `${randomUUID()}.json`);
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', ...files, '--project=fast', '--testTimeout=10000', '--reporter=json', `--outputFile=${report}`, ...options];
  const env = { ...process.env, ...(mutation !== undefined && { SVC_MUTATION: mutation }) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed');
  return { success, ...(failed && { failed: failed.title }) };
}
