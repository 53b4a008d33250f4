/**
 * Projects: `fast` needs nothing but the source, `service` the build and what it stores in, `full` browsers, packages and processes; each older
 * major of a framework is one more of the full ones. `timed` tests compare times, so they run last and one by one.
 * `npm test` runs fast, service and timed; `npx vitest run` everything.
 */
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { applyMutation } from './scripts/apply-mutation.ts';
import { FRAMEWORKS } from './scripts/frameworks.ts';
import { fromMajor } from './scripts/from-major.ts';
import { sqlAsText } from './scripts/sql-as-text.ts';
import { MissingProgramsReporter, programTags } from './test/support/program-tags.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type ProjectOptions = TestProjectInlineConfiguration['test'];

const TIMED = 'test/**/*.timed.test.ts';

export default defineConfig({
  plugins: [sqlAsText(), applyMutation(process.env.SVC_MUTATION)],
  resolve: {
    alias: [
      { find: /^svc-sdk\/service$/, replacement: source('./src/service/index.ts') },
      { find: /^svc-sdk\/agent$/, replacement: source('./src/agent/index.ts') },
      { find: /^svc-sdk\/agent\/(ai|testing)$/, replacement: source('./src/agent/$1.ts') },
      { find: /^svc-sdk\/agent\/(.+)$/, replacement: source('./src/agent/clients/$1.ts') },
      { find: /^svc-sdk\/(.+)$/, replacement: source('./adapters/$1.ts') },
      { find: /^svc-sdk$/, replacement: source('./src/index.ts') },
    ],
  },
  test: {
    // Most of a test's time is waiting.
    maxWorkers: 4,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    setupFiles: ['test/support/patience.ts', 'test/support/leave-nothing.ts'],
    globalSetup: ['test/support/shared-postgres.ts'],
    tags: programTags(),
    reporters: ['default', new MissingProgramsReporter()],
    projects: [
      // A process for each of so many small files would cost more than the tests in it.
      project('fast', ['test/{unit,vectors}/**/*.test.ts'], { isolate: false }),
      project('service', ['test/{contract,e2e}/**/*.test.ts']),
      project('full', ['test/{bench,browser,command,docs,package}/**/*.test.ts', 'test/majors/*.test.ts'], {
        // A browser on a busy machine may be late once; vitest says which tests needed it.
        retry: process.env.CI ? 1 : 0,
      }),
      ...FRAMEWORKS.flatMap(({ entry, majors }) => majors.map((major) => olderMajor(major, entry))),
      { test: { name: 'timed', include: [TIMED], maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});

function project(name: string, include: string[], options: ProjectOptions = {}): TestProjectInlineConfiguration {
  return { test: { name, include, exclude: [...configDefaults.exclude, TIMED], ...options } };
}

/** The contract of the adapters again, with the packages of an older major. */
function olderMajor(major: string, entry: string): TestProjectInlineConfiguration {
  const { test } = project(major, [`test/contract/adapters/${entry}{,-by-*}.test.ts`]);
  return { plugins: [fromMajor(major)], test: { ...test, env: { SVC_TEST_MAJOR: major } } };
}
