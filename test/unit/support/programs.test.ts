/** The detection of programs, and the skipped tests without them. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findProgram, locateProgram, missingLine, PROGRAM_NAMES, type ProgramName } from '../../../scripts/programs';
import { makeFolder } from '../../support/folder';
import { MISSING_LINES, NOWHERE } from '../../support/no-programs';
import { programTags } from '../../support/program-tags';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
test.each(PROGRAM_NAMES)('%s that is not there is missing, with the way to install it', (name) => {
  expect(findProgram(name, NOWHERE)).toBeUndefined();
  expect(missingLine(name)).toBe(MISSING_LINES[name]);
  expect(() => locateProgram(name, NOWHERE)).toThrow(MISSING_LINES[name]);
});

test('a program is found in the PATH, and first where a variable names it', () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  for (const file of ['openssl', 'initdb', 'nats-server', 'my-nats']) writeFileSync(join(path, file), '');
  const env = { PATH: `/nowhere:${path}` };
  expect(findProgram('openssl', env)).toBe(join(path, 'openssl'));
  expect(findProgram('postgres', env)).toBe(path);
  expect(findProgram('nats', env)).toBe(join(path, 'nats-server'));
  expect(findProgram('nats', { ...env, SVC_NATS_SERVER: join(path, 'my-nats') })).toBe(join(path, 'my-nats'));
});

test('the Python of an environment is found by the folder and by the program', () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  expect(findProgram('python', { SVC_PYTHON_VENV: path })).toBeUndefined();
  const python = join(path, 'bin', 'python');
  mkdirSync(join(path, 'bin'));
  writeFileSync(python, '');
  for (const place of [path, python]) expect(findProgram('python', { SVC_PYTHON_VENV: place })).toBe(python);
});

describe('a test that needs a missing program', () => {
  test('is skipped, and only that', () => {
    const skipped = (env: object) => programTags({ ...env }).flatMap(({ name, skip }) => (skip ? [name] : []));
    expect(skipped(NOWHERE)).toEqual(PROGRAM_NAMES);
    expect(skipped({ ...NOWHERE, SVC_OPENSSL: process.execPath })).toEqual([
      'postgres',
      'nats',
      'chromium',
      'pngquant',
      'script',
      'python',
      'cargo',
    ]);
  });

  test('runs, and fails, where SVC_TEST_ALL=1 requires all programs', () => {
    expect(programTags({ ...NOWHERE, SVC_TEST_ALL: '1' }).filter(({ skip }) => skip)).toEqual([]);
  });
});

/** Support file -> the program that it starts. */
const STARTERS: [pattern: RegExp, tag: ProgramName][] = [
  [/support\/(postgres|nodes)'/, 'postgres'],
  [/support\/(nats|nodes)'/, 'nats'],
  [/support\/browser'/, 'chromium'],
  [/support\/certificates'/, 'openssl'],
];

test('every file of tests that starts a program has its tag', () => {
  const tests = globSync('{,service/}test/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] });
  expect(tests.some((path) => path.startsWith('service/'))).toBe(true);
  const untagged = tests.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const isTagged = (tag: ProgramName) => text.includes(`@module-tag ${tag}`) || new RegExp(`tags: .*'${tag}'`).test(text);
    return STARTERS.flatMap(([pattern, tag]) => (pattern.test(text) && !isTagged(tag) ? [`${path}: ${tag}`] : []));
  });
  expect(untagged).toEqual([]);
});
