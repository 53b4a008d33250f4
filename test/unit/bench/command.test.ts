import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bench = (...args: string[]) => promisify(execFile)(process.execPath, ['bench/run.ts', ...args]);

test('--help prints the usage of a bench', async () => {
  expect(await bench('--help')).toMatchObject({ stdout: expect.stringContaining('Usage: npm run bench -- [options]'), stderr: '' });
});

test.each([
  [['--wrong'], "error: unknown option '--wrong'\n"],
  [['--rounds', 'x'], "error: option '--rounds <count>' argument 'x' is invalid. It needs a whole number above 0.\n"],
])('%j ends a bench with one line and exit code 2', async (args, stderr) => {
  await expect(bench(...args)).rejects.toMatchObject({ code: 2, stdout: '', stderr });
});
