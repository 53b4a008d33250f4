import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  target: 'node22',
  sourcemap: false,
  splitting: true,
  treeshake: true,
  loader: { '.sql': 'text' },
  // `ws` is the one dependency; what else the service and the CLI need is bundled, so that an install stays two packages.
  external: ['ws'],
};

/** CommonJS libraries inside an ESM bundle still call `require` for Node's own modules. */
const requireForBundledCommonJs = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

export default defineConfig((flags) => {
  const dts = flags.dts !== false;
  return [
    { ...shared, name: 'library', entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts, noExternal: [/.*/] },
    {
      ...shared,
      name: 'service',
      entry: { service: 'src/service/index.ts' },
      format: ['esm', 'cjs'],
      dts,
      noExternal: [/.*/],
      esbuildOptions: (options, { format }) => {
        if (format === 'esm') options.banner = requireForBundledCommonJs;
      },
    },
    {
      ...shared,
      name: 'cli',
      entry: { cli: 'src/cli/main.ts' },
      format: ['esm'],
      external: ['ws', 'svc-sdk', 'svc-sdk/service'],
      noExternal: [/^(?!svc-sdk)/],
      banner: requireForBundledCommonJs,
    },
  ];
});
