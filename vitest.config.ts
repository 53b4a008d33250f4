import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { fromMajor } from './scripts/from-major.ts';
import { sqlAsText } from './scripts/sql-as-text.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Older majors of frameworks, each with the tests that run with it too. */
const MAJORS = {
  'ai-5': ['test/contract/adapters/ai.test.ts'],
  'ai-6': ['test/contract/adapters/ai.test.ts'],
  'langchain-0.3': ['test/contract/adapters/langchain.test.ts'],
  'openai-5': ['test/contract/adapters/openai*.test.ts'],
  'openai-6': ['test/contract/adapters/openai*.test.ts'],
};

const test = { testTimeout: 20_000, hookTimeout: 60_000 };

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
      ...Object.entries(MAJORS).map(([name, include]) => ({
        extends: true as const,
        plugins: [fromMajor(name)],
        test: { ...test, name, include, env: { SVC_TEST_MAJOR: name } },
      })),
    ],
  },
});
