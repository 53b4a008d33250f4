import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import ts from 'typescript';
import { bundledPackages } from './scripts/bundled-packages.ts';
import { bundling, mcpServer, requireLater, SHORTER, withRequire } from './scripts/bundling.ts';
import { laterModules } from './scripts/later-modules.ts';
import { mergeChunks } from './scripts/merge-chunks.ts';
import { serviceBuilds } from './service/tsup.config.ts';

/** tsup leaves `dependencies` out (`ws`) and bundles the rest, so that an install stays two packages. */
const shared: Options = {
  ...bundling,
  esbuildPlugins: [bundledPackages({ notices: 'dist/THIRD-PARTY-NOTICES.txt', sbom: 'dist/sbom.cdx.json', of: '.' }), requireLater],
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

/** Both packages are built by one command. */
export default defineConfig(({ dts = true }) => [
  {
    ...library,
    name: 'library',
    entry: { index: 'src/index.ts' },
    format: ['esm', 'cjs'],
    dts,
    plugins: [mergeChunks({ folder: 'dist', entries: ['index'], start: /\/index\.js$/, prefix: 'index-' })],
  },
  {
    ...library,
    name: 'moved',
    entry: { 'moved/service': 'src/moved/service.ts', 'moved/import': 'src/moved/import.ts' },
    format: ['esm', 'cjs'],
    splitting: false,
    dts,
  },
  { ...library, name: 'adapters', entry: ['adapters/*.ts'], format: ['esm', 'cjs'], splitting: false, external: [/^[^./]/], dts },
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
      options.chunkNames = 'agent-[name]-[hash]';
    },
  },
  {
    ...library,
    esbuildPlugins: [...(library.esbuildPlugins ?? []), laterModules],
    name: 'cli',
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    external: [/^svc-sdk(\/|$)/],
    banner: withRequire,
    esbuildOptions: (options) => {
      options.chunkNames = 'cli-[name]-[hash]';
      Object.assign(options, SHORTER);
    },
  },
  {
    ...shared,
    esbuildPlugins: [...(shared.esbuildPlugins ?? []), laterModules],
    name: 'mcp',
    entry: { 'svc-tools-mcp': 'src/mcp/main.ts' },
    format: ['esm'],
    external: [/^svc-sdk$/],
    noExternal: mcpServer.noExternal,
    esbuildOptions: (options) => {
      options.alias = mcpServer.alias;
      options.chunkNames = 'svc-tools-mcp-[name]-[hash]';
      Object.assign(options, SHORTER);
    },
  },
  ...serviceBuilds(dts),
]);
