import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test("store.sql has the same bytes as the agent's schema", () => {
  const bytes = (path: string) => readFileSync(new URL(path, import.meta.url));
  expect(bytes('store.sql').equals(bytes('../../src/agent/store/store.sql'))).toBe(true);
});
