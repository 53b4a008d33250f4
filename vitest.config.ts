import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sqlAsText } from './scripts/sql-as-text.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
