/** Runs of tests, benches and scripts where no program is installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ProgramName } from '../../scripts/programs';
import { MISSING_LINES, NOWHERE } from '../support/no-programs';
import { startProcess } from '../support/processes';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('tests that need a missing program', () => {
  /** A run of vitest on this repository's configuration, without any of the programs. */
  const run = (env: Record<string, string>) => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', 'service/test/contract/bus-nats.test.ts', 'service/test/contract/store-postgres-silence.test.ts'];
    return startProcess(process.execPath, args, { cwd: ROOT, env: { ...NOWHERE, NO_COLOR: '1', ...env } }).ended;
  };

  test('leave one line for each program at the end of the run, which is green', async () => {
    const { code, stdout, stderr } = await run({});
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringMatching(/Test Files +2 skipped \(2\)/) });
    expect(stderr.split('\n').filter((line) => line.startsWith('Skipped'))).toEqual([
      expect.stringMatching(/^Skipped \d tests\. PostgreSQL is not installed: /),
      expect.stringMatching(/^Skipped \d\d tests\. nats-server is not installed: /),
    ]);
  });

  test('fail the run with that line where SVC_TEST_ALL=1', async () => {
    const { code, stderr } = await run({ SVC_TEST_ALL: '1' });
    expect(code).toBe(1);
    expect(stderr).toContain(MISSING_LINES.nats);
    expect(stderr).toContain(MISSING_LINES.postgres);
  });
});

describe('a script that needs a missing program', () => {
  const scripts: [script: string, missing: ProgramName[]][] = [
    ['bench/chaos.ts', ['postgres', 'nats']],
    ['bench/chaos.ts --sqlite --nodes 1 --languages ts,python,rust', ['python', 'cargo']],
    ['bench/nodes.ts', ['postgres', 'nats']],
    ['bench/languages.ts', ['python', 'cargo']],
    ['examples/polyglot.ts', ['python', 'cargo']],
    ['bench/sockets.ts --cluster', ['postgres', 'nats']],
    ['bench/console-page.ts', ['chromium']],
    ['scripts/console-shots.ts', ['chromium', 'pngquant']],
  ];

  test.each(scripts)('%s reports each missing program at once, one line each', async (script, missing) => {
    const [file = '', ...args] = script.split(' ');
    const loader = file.includes('console') ? ['--import', './scripts/source-imports.ts'] : [];
    const ended = await startProcess(process.execPath, [...loader, file, ...args], { cwd: ROOT, env: NOWHERE }).ended;
    expect(ended).toEqual({ code: 1, stdout: '', stderr: missing.map((name) => `${MISSING_LINES[name]}\n`).join('') });
  });

  test('npm scripts check for programs before they build', async () => {
    const { scripts: named } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of ['bench:nodes', 'demo:polyglot', 'console:shots', 'bench:console-page']) {
      const [first = ''] = named[name].split(' && ');
      const [, ...args] = first.split(' ');
      const { code, stderr } = await startProcess(process.execPath, args, { cwd: ROOT, env: NOWHERE }).ended;
      expect({ name, code, lines: stderr.trim().split('\n').length }).toEqual({ name, code: 1, lines: args.length - 1 });
    }
  });
});
