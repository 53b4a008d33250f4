/** The start of the command loads what it needs: imports of toolkits are most of a megabyte. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Statements that stay in the built program. */
const IMPORTS = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';/gms;

function loadedFrom(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const specifiers = Array.from(readFileSync(file, 'utf8').matchAll(IMPORTS), ([, specifier = '']) => specifier);
  seen.set(file, specifiers);
  for (const specifier of specifiers) {
    const path = join(dirname(file), `${specifier}.ts`);
    if (specifier.startsWith('.') && existsSync(path)) loadedFrom(path, seen);
  }
  return seen;
}

test('the start of svc-service does not load the imports of toolkits before a command needs them', () => {
  const loaded = loadedFrom('service/cli/program.ts');
  expect(loaded.size).toBeGreaterThan(10);
  const heavy = [...loaded].filter(([, specifiers]) => specifiers.includes('svc-service/import'));
  expect(heavy.map(([file]) => file)).toEqual([]);
});
