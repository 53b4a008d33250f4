import { defineConfig, type Options } from 'tsup';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

/**
 * One file per entry and format. tsup leaves `dependencies` out (`ws`) and bundles the rest, so that an install stays two packages.
 * Not minified and without source maps: the names in a stack trace are the ones of the source, at a third of the size of a map.
 */
const shared: Options = {
  target: 'node22',
  splitting: false,
  // `node:sqlite` has no name without its prefix, and tsup takes prefixes off by default.
  removeNodeProtocol: false,
  loader: { '.sql': 'text' },
  esbuildPlugins: [thirdPartyNotices('dist/THIRD-PARTY-NOTICES.txt')],
};

/** Bundled CommonJS libraries call `require` for what Node brings, and an ES module has none. */
const withRequire: Options['banner'] = ({ format }) =>
  format === 'esm'
    ? { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
    : undefined;

export default defineConfig(({ dts = true }) => [
  { ...shared, name: 'library', entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts },
  { ...shared, name: 'service', entry: { service: 'src/service/index.ts' }, format: ['esm', 'cjs'], dts, banner: withRequire },
  { ...shared, name: 'cli', entry: { cli: 'src/cli/main.ts' }, format: ['esm'], external: [/^svc-sdk(\/|$)/], banner: withRequire },
]);
