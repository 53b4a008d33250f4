import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';
import { bundledPackages } from './scripts/bundled-packages.ts';

/** CommonJS loads with `require`, also later: Jest refuses `import()` in what it loads by `require`. */
const requireLater: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'require-later',
  setup({ initialOptions }) {
    if (initialOptions.format === 'cjs') initialOptions.supported = { ...initialOptions.supported, 'dynamic-import': false };
  },
};

/**
 * tsup leaves `dependencies` out (`ws`) and bundles the rest, so that an install stays two packages. Names are never minified and there are no
 * source maps: a stack trace shows the names of the source.
 */
const shared: Options = {
  target: 'node22',
  // `node:sqlite` has no name without its prefix, and tsup takes prefixes off by default.
  removeNodeProtocol: false,
  loader: { '.sql': 'text' },
  esbuildPlugins: [bundledPackages({ notices: 'dist/THIRD-PARTY-NOTICES.txt', sbom: 'dist/sbom.cdx.json' }), requireLater],
};

/**
 * The library is loaded into other people's programs, whose bundlers minify it. Here it keeps its lines: Node prints the line that threw an
 * uncaught error as a whole. It goes without comments, which esbuild keeps inside of classes and object literals.
 */
const withoutComments: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'without-comments',
  setup(build) {
    const { ESNext } = ts.ModuleKind;
    const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ESNext, verbatimModuleSyntax: true, removeComments: true };
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { outputText } = ts.transpileModule(await readFile(path, 'utf8'), { compilerOptions });
      return { contents: outputText, loader: 'js' };
    });
  },
};

const library: Options = { ...shared, esbuildPlugins: [...(shared.esbuildPlugins ?? []), withoutComments] };

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
  { ...library, name: 'library', entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts },
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
  { ...library, name: 'adapters', entry: ['adapters/*.ts'], format: ['esm', 'cjs'], external: [/^[^./]/], dts },
  {
    ...library,
    name: 'agent',
    entry: {
      agent: 'src/agent/index.ts',
      'agent/telegram': 'src/agent/clients/telegram.ts',
      'agent/discord': 'src/agent/clients/discord.ts',
      'agent/x': 'src/agent/clients/x.ts',
      'agent/ai': 'src/agent/ai.ts',
      'agent/testing': 'src/agent/testing.ts',
    },
    format: ['esm', 'cjs'],
    external: [/^[^./]/],
    dts,
    esbuildOptions: (options) => {
      options.chunkNames = 'agent-chunk-[hash]';
    },
  },
  {
    ...shared,
    name: 'import',
    entry: { import: 'src/import/index.ts' },
    format: ['esm', 'cjs'],
    // The MCP client loads jose for a sign-in that imports do not offer: nothing of that is left in the bundle.
    external: [/^svc-sdk(\/|$)/, 'jose'],
    dts,
    banner: withRequire,
    noExternal: [/^@modelcontextprotocol\//],
    esbuildOptions: (options) => {
      options.chunkNames = 'import-[name]-[hash]';
      // The client's own file brings Ajv, which checks results that the service hands on as they are.
      options.alias = { '@modelcontextprotocol/client/_shims': './src/import/mcp/client-shims.ts' };
      options.minifyWhitespace = true;
    },
  },
  {
    ...shared,
    name: 'cli',
    entry: { cli: 'src/cli/main.ts', 'serve-imports': 'src/cli/serve-imports.ts' },
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
    esbuildOptions: (options) => {
      mcpServer.esbuildOptions(options);
      options.chunkNames = 'svc-tools-mcp-[name]-[hash]';
    },
  },
]);
