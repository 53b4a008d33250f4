/**
 * Projects: `fast` needs nothing but the source, `service` the build and what it stores in, `full` browsers, packages and processes, and sweeps
 * whose promise a quicker test guards, too; each older major of a framework is one more of the full ones. `timed` tests compare times, so they run
 * last and one by one; those with a load generator, which a busy machine would only measure itself with, are `full-timed`.
 * `npm test` runs fast, service and timed; `npx vitest run` everything.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { applyMutation } from './scripts/apply-mutation.ts';
import { FRAMEWORKS } from './scripts/frameworks.ts';
import { fromMajor } from './scripts/from-major.ts';
import { sqlAsText } from './scripts/sql-as-text.ts';
import { MissingProgramsReporter, programTags } from './test/support/program-tags.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every commit of SQLite waits for a disk, but not for memory. */
const env = { TMPDIR: temporaryFolder() };

const setupFiles = ['test/support/patience.ts', 'test/support/leave-nothing.ts', 'test/support/password-cost.ts'];

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const TIMED = '{,service/}test/**/*.timed.test.ts';
const FULL = '{,service/}test/{unit,contract,e2e}/**/*.full.test.ts';

export default defineConfig({
  plugins: [sqlAsText(), applyMutation(process.env.SVC_MUTATION)],
  resolve: {
    alias: [
      { find: /^svc-service$/, replacement: source('./service/src/index.ts') },
      { find: /^svc-service\/import$/, replacement: source('./service/import/index.ts') },
      { find: /^#sdk\//, replacement: source('./src/') },
      { find: /^svc-sdk\/agent$/, replacement: source('./src/agent/index.ts') },
      { find: /^svc-sdk\/agent\/(ai|testing)$/, replacement: source('./src/agent/$1.ts') },
      { find: /^svc-sdk\/agent\/(.+)$/, replacement: source('./src/agent/clients/$1.ts') },
      { find: /^svc-sdk\/(.+)$/, replacement: source('./adapters/$1.ts') },
      { find: /^svc-sdk$/, replacement: source('./src/index.ts') },
    ],
  },
  test: {
    // Most of a test's time is waiting; more browsers at a time than this wait for each other on two cores.
    maxWorkers: 4,
    // A test that hangs is stopped; no promise is about this time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles,
    globalSetup: ['test/support/shared-postgres.ts'],
    tags: programTags(),
    reporters: ['default', new MissingProgramsReporter()],
    projects: [
      // A process for each of so many files would cost more than most tests in it: the imports of a service take a second.
      project('fast', ['{,service/}test/{unit,vectors}/**/*.test.ts'], {
        exclude: [FULL],
        isolate: false,
        env,
        setupFiles: [...setupFiles, 'test/support/own-modules.ts'],
      }),
      project('service', ['{,service/}test/{contract,e2e}/**/*.test.ts'], { exclude: [FULL], isolate: false, env }),
      project('full', [FULL, '{,service/}test/{bench,browser,command,docs,package}/**/*.test.ts', 'test/majors/*.test.ts']),
      ...FRAMEWORKS.flatMap(({ entry, majors }) => majors.map((major) => olderMajor(major, entry))),
      { test: { name: 'timed', include: ['{,service/}test/{unit,e2e}/**/*.timed.test.ts'], maxWorkers: 1, sequence: { groupOrder: 1 } } },
      { test: { name: 'full-timed', include: ['test/bench/*.timed.test.ts'], maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
});

function project(name: string, include: string[], { exclude = [], ...options }: ProjectOptions = {}): TestProjectInlineConfiguration {
  return { test: { name, include, exclude: [...configDefaults.exclude, TIMED, ...exclude], ...options } };
}

/** In memory where there is enough of it: containers often have 64 MB. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 2 ** 31 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** The part of the adapters' contract that differs between majors, with the packages of an older one. */
function olderMajor(major: string, entry: string): TestProjectInlineConfiguration {
  const { test } = project(major, [`test/contract/adapters/${entry}{,-by-*}.test.ts`]);
  return { plugins: [fromMajor(major)], test: { ...test, isolate: false, env: { ...env, SVC_TEST_MAJOR: major } } };
}
