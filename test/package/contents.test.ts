import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const inDist = (name: string) => new URL(`../../dist/${name}`, import.meta.url);
const read = (name: string) => readFileSync(inDist(name), 'utf8');
const files = readdirSync(inDist(''));
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** esbuild heads each bundled file with a comment that holds its path. */
const bundledIn = (name: string) =>
  [...read(name).matchAll(/^ *\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, each]) => each as string);

test('the tests run on Node 22 or newer, whatever the system has', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22);
});

test('package.json or a file that it names leads to every file of dist, and to no other', () => {
  const { main, module, types, exports, bin } = packageJson;
  const reached = new Set([NOTICES]);
  const follow = (text: string, path: RegExp) => {
    for (const [, name = ''] of text.matchAll(path)) {
      if (reached.has(name)) continue;
      reached.add(name);
      follow(read(name), /(?:\bfrom ?|\bimport\()"\.\/([^"]+)"/g);
    }
  };
  follow(JSON.stringify([main, module, types, exports, bin]), /"\.\/dist\/([^"]+)"/g);
  expect([...reached].sort()).toEqual(files.sort());
});

test('the commands can be executed', () => {
  for (const path of Object.values(packageJson.bin)) {
    const name = path.replace('./dist/', '');
    expect(read(name).split('\n', 1)).toEqual(['#!/usr/bin/env node']);
    expect(statSync(inDist(name)).mode & 0o111).toBe(0o111);
  }
});

test('ws is the one dependency', () => {
  expect(Object.keys(packageJson.dependencies)).toEqual(['ws']);
  expect(packageJson).not.toHaveProperty('peerDependencies');
});

describe('types', () => {
  test.each(files.filter((file) => /\.d\.c?ts$/.test(file)))('%s needs no other package', (name) => {
    expect(read(name)).not.toMatch(/^(?:import|export) .*from|\bimport\(|\brequire\(|^\/\/\/ *<reference/m);
  });
});

describe('bundled packages', () => {
  const bundled = new Set(files.filter((file) => /\.c?js$/.test(file)).flatMap(bundledIn));
  const notices = read(NOTICES);

  test('each goes with its licence text', () => {
    const headings = [...notices.matchAll(/^-{80}\n(\S+) \d\S* \((.+)\)\n\n(?=.)/gm)];
    expect(headings.map(([, name]) => name).sort()).toEqual([...bundled].sort());
    expect(new Set(headings.map(([, , licence]) => licence))).toEqual(new Set(['MIT', 'ISC', 'BSD-3-Clause']));
  });

  test('they are those that only the service and the command need', () => {
    for (const name of ['hono', 'kysely', 'zod', 'ajv', 're2js', 'pino', 'commander']) expect(bundled).toContain(name);
    expect(bundled).not.toContain('ws');
  });
});
