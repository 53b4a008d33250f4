/** The script that runs the checks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const PROGRAM = fileURLToPath(new URL('../../scripts/side-by-side.ts', import.meta.url));

const SCRIPTS = {
  lint: `node -e "console.log('all is clean')"`,
  // Each waits for the other one.
  types: `node -e "fs.writeFileSync('types', ''); while (!fs.existsSync('unused'));"`,
  unused: `node -e "fs.writeFileSync('unused', ''); while (!fs.existsSync('types')); console.error('unused.ts'); process.exit(3)"`,
};

function runScripts(...names: string[]) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ scripts: SCRIPTS }));
  return startProcess(process.execPath, [PROGRAM, ...names], { cwd: path }).ended;
}

test('scripts run concurrently; failures are reported at the end', async () => {
  const { code, stdout, stderr } = await runScripts('unused', 'types', 'lint');
  expect(code).toBe(1);
  expect(stdout).toMatch(/types: ok after \d+ s/);
  expect(stdout).toMatch(/lint: ok after \d+ s\nall is clean\n/);
  expect(stdout).toMatch(/unused: failed after \d+ s/);
  expect(stderr).toBe('\nunused failed:\nunused.ts\n');
});

test('scripts that all pass exit with 0', async () => {
  expect(await runScripts('lint')).toMatchObject({ code: 0, stderr: '' });
});
