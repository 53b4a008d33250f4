import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { FRAMEWORKS } from '../../scripts/frameworks.ts';

const inDist = (name: string) => new URL(`../../dist/${name}`, import.meta.url);
const read = (name: string) => readFileSync(inDist(name), 'utf8');
/** All files except the folder of the console, whose page names its files itself. */
const files = readdirSync(inDist(''), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(fileURLToPath(inDist('')), join(parentPath, name)))
  .filter((name) => !name.startsWith('console/'));
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
/** Files about the bundled packages. */
const LISTS = [NOTICES, 'console-sbom.cdx.json', 'sbom.cdx.json'];

/** esbuild heads each bundled file with a comment that holds its path. */
const bundledIn = (name: string) =>
  [...read(name).matchAll(/^ *\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, each]) => each as string);

/** Types import the JavaScript that they describe. A program of its own is named by its URL. */
function importedBy(name: string): string[] {
  const imports = [...read(name).matchAll(/(?:\bfrom ?|\bimport ?\(?|\bnew URL\()["'](\.\.?\/[^"']+\.c?js)["']/g)];
  const paths = imports.map(([, path = '']) => normalize(join(dirname(name), path)));
  return /\.d\.c?ts$/.test(name) ? paths.map((path) => path.replace(/\.(c?)js$/, '.d.$1ts')) : paths;
}

test('the tests run on Node 22 or newer, whatever the system has', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22);
});

test('package.json or a file that it names leads to every file of dist, and to no other', () => {
  const { main, module, types, exports, bin } = packageJson;
  const reached = new Set(LISTS);
  const follow = (names: string[]) => {
    for (const name of names) {
      if (reached.has(name)) continue;
      reached.add(name);
      follow(importedBy(name));
    }
  };
  const named = JSON.stringify([main, module, types, exports, bin]).matchAll(/"\.\/dist\/([^"]+)"/g);
  follow([...named].map(([, name = '']) => name));
  expect([...reached].sort()).toEqual(files.sort());
});

test('the commands can be executed', () => {
  for (const path of Object.values(packageJson.bin)) {
    const name = path.replace('./dist/', '');
    expect(read(name).split('\n', 1)).toEqual(['#!/usr/bin/env node']);
    expect(statSync(inDist(name)).mode & 0o111).toBe(0o111);
  }
});

test('ws is the one dependency, and every peer is optional', () => {
  expect(Object.keys(packageJson.dependencies)).toEqual(['ws']);
  expect(Object.keys(packageJson.peerDependenciesMeta)).toEqual(Object.keys(packageJson.peerDependencies));
  expect(Object.values(packageJson.peerDependenciesMeta)).toEqual(
    Object.values(packageJson.peerDependencies).map(() => ({ optional: true })),
  );
});

/** The packages that a file needs at run time, or for its types. */
function neededBy(name: string): string[] {
  const specifiers = [...read(name).matchAll(/(?:(?<!["'])\bfrom ?|\bimport ?\(?|\brequire\()["']([^."'][^"']*)["']/g)].map(
    ([, specifier = '']) => specifier,
  );
  const packages = specifiers.filter((specifier) => !isBuiltin(specifier)).map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
  return [...new Set(packages)].map(String).sort();
}

describe('the packages that an entry needs', () => {
  const peerOf = new Map(FRAMEWORKS.map((framework) => [framework.entry, framework.package]));
  // The code of the service has what others wrote in it, strings that look like imports too; `bundled packages` below is about it.
  const entries = files.filter((file) => /^(?!cli|svc-tools-mcp|service\.c?js)[a-z-]+\.(?:d\.ts|d\.cts|js|cjs)$/.test(file));

  test.each(entries)('%s: its own framework at most', (name) => {
    const entry = name.replace(/\..*/, '');
    const framework = [peerOf.get(entry) ?? []].flat();
    const allowed: Record<string, string[]> = { index: /\.c?js$/.test(name) ? ['ws'] : [], service: [] };
    expect(
      neededBy(name).filter(
        (needed) => !(allowed[entry] ?? ['svc-sdk', ...framework, ...(LAZY[entry] ?? []), ...(OWN[entry] ?? [])]).includes(needed),
      ),
    ).toEqual([]);
  });
});

/** Loaded when a human has to be asked, and not before. */
const LAZY: Record<string, string[]> = { langchain: ['@langchain/langgraph'] };

/** The packages of entries that belong to no framework. */
const OWN: Record<string, string[]> = { opentelemetry: ['@opentelemetry/api'] };

describe('bundled packages', () => {
  const bundled = new Set(files.filter((file) => /\.c?js$/.test(file)).flatMap(bundledIn));
  const notices = read(NOTICES);

  test('each goes with its licence text', () => {
    const headings = [...notices.matchAll(/^-{80}\n(\S+) \d\S* \((.+)\)\n\n(?=.)/gm)];
    // Modules that are bundled without their own comment, such as tslib, are included.
    expect(headings.map(([, name]) => name)).toEqual(expect.arrayContaining([...bundled]));
    expect(new Set(headings.map(([, , licence]) => licence))).toEqual(
      new Set(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']),
    );
  });

  test('they are those that only the service and the command need', () => {
    for (const name of ['hono', 'kysely', 'zod', 'ajv', 're2js', 'pino', 'commander']) expect(bundled).toContain(name);
    expect(bundled).not.toContain('ws');
  });
});
