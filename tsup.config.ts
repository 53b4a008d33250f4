import { defineConfig, type Options } from 'tsup';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

/**
 * tsup leaves `dependencies` out (`ws`) and bundles the rest, so that an install stays two packages. Names are never minified and there are no
 * source maps: a stack trace shows the names of the source.
 */
const shared: Options = {
  target: 'node22',
  // `node:sqlite` has no name without its prefix, and tsup takes prefixes off by default.
  removeNodeProtocol: false,
  loader: { '.sql': 'text' },
  esbuildPlugins: [thirdPartyNotices('dist/THIRD-PARTY-NOTICES.txt')],
};

/** The library is loaded into other people's programs and bundles, so it goes without its comments; Node prints whole lines, so they stay short. */
const small: Options = {
  minifyWhitespace: true,
  minifySyntax: true,
  esbuildOptions: (options) => {
    options.lineLimit = 200;
  },
};

/** Bundled CommonJS libraries call `require` for what Node brings, and an ES module has none. */
const withRequire: Options['banner'] = ({ format }) =>
  format === 'esm'
    ? { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
    : undefined;

/** What speaks MCP brings the server of the official SDK: an optional peer, which tsup leaves out by default, and `npx` installs none. */
const mcpServer = {
  external: [/^svc-sdk$/],
  noExternal: [/^@modelcontextprotocol\//],
  esbuildOptions: (options) => {
    options.alias = { '@modelcontextprotocol/server/_shims': './src/mcp/without-validator.ts' };
  },
} satisfies Options;

/** prom-client looks at the active trace for exemplars, which are not used here: metrics must not need an optional peer. */
const withoutExemplars: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'without-exemplars',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ importer }) =>
      importer.includes('/prom-client/') ? { path: 'nothing', namespace: 'nothing' } : { path: '@opentelemetry/api', external: true },
    );
    build.onLoad({ filter: /^nothing$/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

export default defineConfig(({ dts = true }) => [
  { ...shared, ...small, name: 'library', entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts },
  {
    ...shared,
    ...mcpServer,
    noExternal: [...mcpServer.noExternal, /^@opentelemetry\/api$/],
    esbuildPlugins: [...(shared.esbuildPlugins ?? []), withoutExemplars],
    name: 'service',
    entry: { service: 'src/service/index.ts' },
    format: ['esm', 'cjs'],
    dts,
    banner: withRequire,
    // Where the console's files are: `import.meta.url`, in CommonJS too.
    shims: true,
    esbuildOptions: (options) => {
      mcpServer.esbuildOptions(options);
      options.chunkNames = 'service-[name]-[hash]';
    },
  },
  { ...shared, ...small, name: 'adapters', entry: ['adapters/*.ts'], format: ['esm', 'cjs'], external: [/^[^./]/], dts },
  {
    ...shared,
    name: 'cli',
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    external: [/^svc-sdk(\/|$)/],
    banner: withRequire,
    esbuildOptions: (options) => {
      options.chunkNames = 'cli-[name]-[hash]';
    },
  },
  {
    ...shared,
    ...mcpServer,
    name: 'mcp',
    entry: { 'svc-tools-mcp': 'src/mcp/main.ts' },
    format: ['esm'],
  },
]);
