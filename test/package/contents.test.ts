import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { FRAMEWORKS } from '../../scripts/frameworks.ts';
import servicePackageJson from '../../service/package.json' with { type: 'json' };

const PACKAGES = [
  { manifest: packageJson, dist: new URL('../../dist/', import.meta.url), dependencies: ['ws'], lists: ['sbom.cdx.json'] },
  {
    manifest: servicePackageJson,
    dist: new URL('../../service/dist/', import.meta.url),
    dependencies: ['svc-sdk', 'ws'],
    lists: ['console-sbom.cdx.json', 'sbom.cdx.json'],
  },
].map((each) => ({ ...each, name: each.manifest.name, files: filesOf(each.dist) }));
const [LIBRARY, SERVICE] = PACKAGES as [(typeof PACKAGES)[number], (typeof PACKAGES)[number]];
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const read = (dist: URL, name: string) => readFileSync(new URL(name, dist), 'utf8');

/** All files but those of the console, whose page names them itself, and those of the process of programs, whose folder its starter names. */
function filesOf(dist: URL): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(fileURLToPath(dist), join(parentPath, name)))
    .filter((name) => !/^(console|child)\//.test(name));
}

/** Types import the JavaScript that they describe. A program of its own is named by its URL. */
function importedBy(dist: URL, name: string): string[] {
  const imports = [...read(dist, name).matchAll(/(?:\bfrom ?|\bimport ?\(?|\bnew URL\()["'](\.\.?\/[^"']+\.c?js)["']/g)];
  const paths = imports.map(([, path = '']) => normalize(join(dirname(name), path)));
  return /\.d\.c?ts$/.test(name) ? paths.map((path) => path.replace(/\.(c?)js$/, '.d.$1ts')) : paths;
}

test('the tests run on Node 22 or newer, regardless of the system’s Node', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22);
});

describe.each(PACKAGES)('$name', ({ manifest, dist, files, dependencies, lists }) => {
  test('package.json or a file that it names leads to every file of dist, and to no other', () => {
    const { main, module, types, exports, bin } = manifest;
    const reached = new Set([NOTICES, ...lists]);
    const follow = (names: string[]) => {
      for (const name of names) {
        if (reached.has(name)) continue;
        reached.add(name);
        follow(importedBy(dist, name));
      }
    };
    const named = JSON.stringify([main, module, types, exports, bin]).matchAll(/"\.\/dist\/([^"]+)"/g);
    follow([...named].map(([, name = '']) => name));
    expect([...reached].sort()).toEqual(files.sort());
  });

  test('the commands can be executed', () => {
    for (const path of Object.values(manifest.bin)) {
      const name = path.replace('./dist/', '');
      expect(read(dist, name).split('\n', 1)).toEqual(['#!/usr/bin/env node']);
      expect(statSync(new URL(name, dist)).mode & 0o111).toBe(0o111);
    }
  });

  test('it has no further dependency, and every peer is optional', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(dependencies);
    expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
    expect(Object.values(manifest.peerDependenciesMeta)).toEqual(Object.values(manifest.peerDependencies).map(() => ({ optional: true })));
  });

  test('each bundled package has its licence text', () => {
    const headings = [...read(dist, NOTICES).matchAll(/^-{80}\n(\S+) \d\S* \((.+)\)\n\n(?=.)/gm)];
    expect(headings.map(([, name]) => name)).toEqual(expect.arrayContaining(bundledBy(dist)));
    expect(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']).toEqual(
      expect.arrayContaining([...new Set(headings.map(([, , licence]) => licence))]),
    );
  });
});

test('the versions of both packages are one, and svc-service depends on exactly that of svc-sdk', () => {
  expect(servicePackageJson.version).toBe(packageJson.version);
  expect(servicePackageJson.dependencies['svc-sdk']).toBe(packageJson.version);
});

/** The packages that a file needs at run time, or for its types. */
function neededBy(name: string): string[] {
  const specifiers = [...read(LIBRARY.dist, name).matchAll(/(?:(?<!["'])\bfrom ?|\bimport ?\(?|\brequire\()["']([^."'][^"']*)["']/g)].map(
    ([, specifier = '']) => specifier,
  );
  const packages = specifiers.filter((specifier) => !isBuiltin(specifier)).map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
  return [...new Set(packages)].map(String).sort();
}

describe('the packages that an entry needs', () => {
  const peerOf = new Map(FRAMEWORKS.map((framework) => [framework.entry, framework.package]));
  // The command and the MCP server have code of others in them, strings that look like imports too; `bundled packages` below is about it.
  const entries = LIBRARY.files.filter((file) => /^(?!cli|svc-tools-mcp)[a-z-]+\.(?:d\.ts|d\.cts|js|cjs)$/.test(file));

  test.each(entries)('%s: its own framework at most', (name) => {
    const entry = name.replace(/\..*/, '');
    const framework = [peerOf.get(entry) ?? []].flat();
    const allowed: Record<string, string[]> = { index: /\.c?js$/.test(name) ? ['ws'] : [] };
    expect(
      neededBy(name).filter(
        (needed) => !(allowed[entry] ?? ['svc-sdk', ...framework, ...(LAZY[entry] ?? []), ...(OWN[entry] ?? [])]).includes(needed),
      ),
    ).toEqual([]);
  });
});

/** Loaded on the first approval. */
const LAZY: Record<string, string[]> = { langchain: ['@langchain/langgraph'] };

/** The packages of entries that belong to no framework, and of VoltAgent, which is made of the AI SDK. */
const OWN: Record<string, string[]> = { opentelemetry: ['@opentelemetry/api'], voltagent: ['ai'] };

/** Names of packages, from the bill of materials: the bundles have no comments that name them. */
function bundledBy(dist: URL): string[] {
  const { components } = JSON.parse(read(dist, 'sbom.cdx.json')) as { components: { purl: string }[] };
  return components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@[^@]+$/, '$1')).sort();
}

test('the library bundles the MCP server of svc-tools-mcp and the parser of the command, and the service what it alone needs', () => {
  expect(bundledBy(LIBRARY.dist)).toEqual([
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/server',
    'commander',
    'fast-string-truncated-width',
    'zod',
  ]);
  const bundled = bundledBy(SERVICE.dist);
  for (const name of ['hono', 'kysely', 'zod', 'ajv', 're2js']) expect(bundled).toContain(name);
  expect(bundled).not.toContain('ws');
});
