/** `npm run demo:polyglot` for real, on the built package, the sources of Python and the crate of Rust. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const DEMO = fileURLToPath(new URL('../../examples/polyglot.ts', import.meta.url));

// The first run compiles the toolkit in Rust with its dependencies.
test('toolkits in three languages answer one question together', { timeout: 600_000, tags: ['python', 'cargo'] }, async () => {
  const { path: directory, remove } = makeFolder();
  onTestFinished(remove);
  const demo = startProcess(process.execPath, [DEMO], { env: { TMPDIR: directory, NO_COLOR: '1' } });
  onTestFinished(() => demo.kill('SIGKILL'));
  const { code, stdout, stderr } = await demo.ended;
  expect({ code, stderr, left: readdirSync(directory) }).toEqual({ code: 0, stderr: '', left: [] });
  expect(stdout).toMatch(/ in TypeScript, .+ in Python, .+ in Rust\n/);
  for (const call of ['exchange__exchange_rate', 'weather__forecast', 'maths__evaluate_formula'])
    expect(stdout).toMatch(new RegExp(`→ invoke_service {2}${call}.*\n {3}← \\{`));
  expect(stdout).toContain('417.60 USD. In Rome it will be 20 °C');
  expect(stdout).toContain('with 3 calls in three languages');
});
