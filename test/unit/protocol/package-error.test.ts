import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { packageError } from '../../../src/protocol/package-error';
import { makeFolder } from '../../support/folder';

const load = { import: (path: string) => import(pathToFileURL(path).href), require: async (path: string) => createRequire(path)(path) };

/** The error of loading a file that itself loads `name`. */
async function failureOf(how: keyof typeof load, text: string): Promise<unknown> {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, how === 'import' ? 'program.mjs' : 'program.cjs');
  writeFileSync(path, text);
  return load[how](path).catch((error: unknown) => error);
}

test.each([
  ['import', "import '@scope/driver'"],
  ['require', "require('@scope/driver')"],
] as const)('a package that %s cannot find is to be installed', async (how, text) => {
  const cause = await failureOf(how, text);
  expect(packageError('PostgreSQL', '@scope/driver', cause)).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'PostgreSQL needs the package "@scope/driver", which is not installed; run: npm install @scope/driver',
    cause,
  });
});

test.each([
  ['import', "import 'driver-core'", 'driver-core'],
  ['require', "require('driver-core')", 'driver-core'],
  ['import', "throw new Error('built for another Node')", 'built for another Node'],
] as const)('a package that is there and fails by %s (%s) keeps its own message', async (how, text, told) => {
  const { message } = packageError('PostgreSQL', 'driver', await failureOf(how, text));
  expect(message).toMatch(/^PostgreSQL needs the package "driver", which cannot be loaded: /);
  expect(message).toContain(told);
  expect(message).not.toContain('npm install');
});
