/** The options that the builds of both packages share. */
import type { Options } from 'tsup';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** CommonJS loads with `require`, also later: Jest refuses `import()` in what it loads by `require`. */
export const requireLater: EsbuildPlugin = {
  name: 'require-later',
  setup({ initialOptions }) {
    if (initialOptions.format === 'cjs') initialOptions.supported = { ...initialOptions.supported, 'dynamic-import': false };
  },
};

/** Names are never minified and there are no source maps: a stack trace shows the names of the source. */
export const bundling = {
  target: 'node22',
  // `node:sqlite` has no name without its prefix, and tsup takes prefixes off by default.
  removeNodeProtocol: false,
  loader: { '.sql': 'text' },
} satisfies Options;

/** Fewer bytes for what no other program takes into its own bundle; the names stay those of the source. */
export const SHORTER = { minifyWhitespace: true, minifySyntax: true };

/** Bundled CommonJS libraries call `require` for what Node brings, and an ES module has none. */
export const withRequire: NonNullable<Options['banner']> = ({ format }) =>
  format === 'esm' ? { js: 'const require = process.getBuiltinModule;' } : undefined;

/** An entry that speaks MCP brings the server of the official SDK: an optional peer, which tsup leaves out by default, and `npx` installs none. */
export const mcpServer = {
  noExternal: [/^@modelcontextprotocol\//],
  alias: { '@modelcontextprotocol/server/_shims': './src/mcp/without-validator.ts' },
};
