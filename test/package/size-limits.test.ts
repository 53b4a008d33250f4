/** size-limit skips a pattern without files, so a renamed chunk would not be measured. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const limits: { name: string; path: string | string[] }[] = JSON.parse(readFileSync('.size-limit.json', 'utf8'));

test.each(limits)('every path of "$name" is built', ({ path }) => {
  expect([path].flat().filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});
