import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FRAMEWORKS } from './scripts/frameworks.ts';
import { fromMajor } from './scripts/from-major.ts';
import { sqlAsText } from './scripts/sql-as-text.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const test = {
  testTimeout: 20_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
  setupFiles: ['test/support/patience.ts'],
};

export default defineConfig({
  plugins: [sqlAsText()],
  resolve: {
    alias: [
      { find: /^svc-sdk\/service$/, replacement: source('./src/service/index.ts') },
      { find: /^svc-sdk\/(.+)$/, replacement: source('./adapters/$1.ts') },
      { find: /^svc-sdk$/, replacement: source('./src/index.ts') },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { ...test, name: 'newest', include: ['test/**/*.test.ts'] } },
      ...FRAMEWORKS.flatMap(({ entry, majors }) =>
        majors.map((name) => ({
          extends: true as const,
          plugins: [fromMajor(name)],
          test: { ...test, name, include: [`test/contract/adapters/${entry}{,-by-*}.test.ts`], env: { SVC_TEST_MAJOR: name } },
        })),
      ),
    ],
  },
});
