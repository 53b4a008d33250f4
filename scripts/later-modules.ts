/**
 * How the bundles that only Node, Deno and Bun load get Node's modules, and large packages and schemas that no start uses.
 *
 * Node's modules come by `process.getBuiltinModule`: an ES module that imports one makes Node read each of its exports, and a getter of
 * `node:http` then loads undici, a third of the start of a bare server. Those in `LATER` and `PACKAGES` are loaded at the first use of an export,
 * and modules of `SCHEMAS` too.
 */
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import type { Options } from 'tsup';

const require = createRequire(import.meta.url);

/** None is used for each call. */
const LATER = new Set(
  ['child_process', 'dns', 'fs/promises', 'http2', 'https', 'stream/consumers', 'stream/promises', 'tls', 'v8', 'zlib'].map(
    (name) => `node:${name}`,
  ),
);
const PACKAGES = new Set(['ajv/dist/2020.js']);

/** Modules with zod schemas for frames and for the routes on hono, which load after a start: making the 450 takes a tenth of it. */
const SCHEMAS = /^(#sdk|\.{1,2})\/.*(schemas|settings-schema|new-key|new-token|change-key|checked-rules)$/;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const laterModules: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'later-modules',
  setup(build) {
    if (build.initialOptions.format !== 'esm') return;
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => {
      const loaded = `process.getBuiltinModule(${JSON.stringify(path)})`;
      return { contents: LATER.has(path) ? later(namesOf(path), loaded) : atOnce(path, loaded), loader: 'js' };
    });
    build.onResolve({ filter: /^ajv\// }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement' && PACKAGES.has(path) ? { path, namespace: 'later', pluginData: resolveDir } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'later' }, ({ path, pluginData }) => {
      return { contents: later(namesOf(path), `require(${JSON.stringify(path)})`), loader: 'js', resolveDir: pluginData as string };
    });
  },
};

/** This is for the service alone: other programs make few schemas, or need them at once. */
export const laterSchemas: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'later-schemas',
  setup(build) {
    if (build.initialOptions.format !== 'esm') return;
    build.onResolve({ filter: SCHEMAS }, async ({ path, kind, importer, resolveDir, namespace }) => {
      if (kind !== 'import-statement' || namespace !== 'file') return undefined;
      const { path: file } = await build.resolve(path, { importer, resolveDir, kind: 'require-call' });
      return { path: file, namespace: 'schemas' };
    });
    build.onLoad({ filter: /^/, namespace: 'schemas' }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = Array.from(source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm), ([, name]) => name as string);
      return { contents: later(names, `require(${JSON.stringify(path)})`), loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** Exports that a program does not use are left out: reading one may load another module. */
function atOnce(path: string, loaded: string): string {
  return [
    `const builtin = ${loaded};`,
    'export default builtin;',
    ...namesOf(path).map((name, at) => `const value${at} = /* @__PURE__ */ (() => builtin.${name})(); export { value${at} as ${name} };`),
  ].join('\n');
}

function later(names: readonly string[], loaded: string): string {
  return `
    let loaded;
    for (const name of ${JSON.stringify(names)})
      Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= ${loaded})[name] });`;
}

function namesOf(path: string): string[] {
  return Object.keys(require(path) as object).filter((name) => name !== 'default' && IDENTIFIER.test(name));
}
