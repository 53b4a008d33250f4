/**
 * Node's modules by `process.getBuiltinModule` in bundles that only Node, Deno and Bun load.
 *
 * An ES module that imports one makes Node read each of its exports, and a getter of `node:http` then loads undici: a third of the start of a bare
 * server. Bundled libraries that name the module without its prefix get the same object.
 */
import { createRequire, isBuiltin } from 'node:module';
import type { Options } from 'tsup';

const require = createRequire(import.meta.url);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const builtinModules: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'builtin-modules',
  setup(build) {
    if (build.initialOptions.format !== 'esm') return;
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({ contents: moduleOf(path), loader: 'js' }));
  },
};

/** What a program does not use is left out: reading it may load another module. */
function moduleOf(name: string): string {
  const names = Object.keys(require(name) as object).filter((key) => key !== 'default' && IDENTIFIER.test(key));
  return [
    `const builtin = process.getBuiltinModule(${JSON.stringify(name)});`,
    'export default builtin;',
    ...names.map((key, at) => `const value${at} = /* @__PURE__ */ (() => builtin.${key})(); export { value${at} as ${key} };`),
  ].join('\n');
}
