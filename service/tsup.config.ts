/** The builds of svc-service, which the configuration of the repository takes up. Paths are those of the repository. */
import { resolve } from 'node:path';
import type { Options } from 'tsup';
import { bundledPackages } from '../scripts/bundled-packages.ts';
import { bundling, mcpServer, requireLater, SHORTER, withRequire } from '../scripts/bundling.ts';
import { laterModules, laterSchemas } from '../scripts/later-modules.ts';
import { mergeChunks } from '../scripts/merge-chunks.ts';
import packageJson from './package.json' with { type: 'json' };

const shared: Options = {
  ...bundling,
  outDir: 'service/dist',
  esbuildPlugins: [
    bundledPackages({ notices: 'service/dist/THIRD-PARTY-NOTICES.txt', sbom: 'service/dist/sbom.cdx.json', of: 'service' }),
    requireLater,
    laterModules,
  ],
};

/** Everything else is bundled, also of svc-sdk what it does not export: an install stays three packages. */
const PEERS = Object.keys(packageJson.peerDependencies);

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

/** Files of `accounts/bundle` replace parts of the packages of accounts: 22 packages fewer. A part that a new version renames is bundled as it is. */
const smallAccounts: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'small-accounts',
  setup(build) {
    const replace = (filter: RegExp, file: string) => {
      const path = resolve('service/src/accounts/bundle', file);
      build.onResolve({ filter }, ({ importer }) => (/[/\\](@simplewebauthn|better-auth)[/\\]/.test(importer) ? { path } : undefined));
    };
    replace(/\/verifyAttestation(AndroidKey|AndroidSafetyNet|Apple|FIDOU2F|Packed|TPM)\.js$/, 'attestation.ts');
    replace(
      /\/(convertX509PublicKeyToCOSE|getCertificateInfo|isCertRevoked|validateCertificatePath|validateExtFIDOGenCEAAGUID)\.js$/,
      'attestation.ts',
    );
    replace(/\/unwrapEC2Signature\.js$/, 'ec-signature.ts');
    replace(/^@better-auth\/telemetry$/, 'telemetry.ts');
    replace(/^@better-auth\/memory-adapter$/, 'memory-adapter.ts');
  },
};

export function serviceBuilds(dts: Options['dts']): Options[] {
  return [
    {
      ...shared,
      name: 'service',
      entry: { index: 'service/src/index.ts' },
      format: ['esm', 'cjs'],
      ...(dts !== undefined && { dts }),
      external: [/^svc-sdk$/, ...PEERS.filter((peer) => peer !== '@opentelemetry/api')],
      noExternal: [...mcpServer.noExternal, /^@opentelemetry\/api$/],
      esbuildPlugins: [...(shared.esbuildPlugins ?? []), laterSchemas, withoutExemplars, smallAccounts],
      banner: withRequire,
      plugins: [mergeChunks({ folder: 'service/dist', entries: ['index'], start: /\/index\.js$/, prefix: 'service-' })],
      // Where the console's files are: `import.meta.url`, in CommonJS too.
      shims: true,
      esbuildOptions: (options) => {
        options.alias = mcpServer.alias;
        options.chunkNames = 'service-[name]-[hash]';
        Object.assign(options, SHORTER);
      },
    },
    {
      ...shared,
      name: 'sandbox',
      // Whole files in a folder of their own: the process that runs programs may read nothing else of the package.
      entry: { 'child/main': 'service/src/sandbox/child/main.ts', 'child/thread': 'service/src/sandbox/child/thread.ts' },
      format: ['esm'],
      splitting: false,
      external: PEERS,
      outExtension: () => ({ js: '.mjs' }),
    },
    {
      ...shared,
      name: 'import',
      entry: { import: 'service/import/index.ts' },
      format: ['esm', 'cjs'],
      // The MCP client loads jose for a sign-in that imports do not offer: nothing of that is left in the bundle.
      external: [/^svc-sdk(\/|$)/, 'jose'],
      ...(dts !== undefined && { dts }),
      banner: withRequire,
      noExternal: mcpServer.noExternal,
      esbuildOptions: (options) => {
        options.chunkNames = 'import-[name]-[hash]';
        // The client's own file brings Ajv, which checks results that the service hands on as they are.
        options.alias = { '@modelcontextprotocol/client/_shims': './service/import/mcp/client-shims.ts' };
        Object.assign(options, SHORTER);
      },
    },
    {
      ...shared,
      name: 'cli',
      entry: { cli: 'service/cli/main.ts', 'serve-imports': 'service/cli/serve-imports.ts' },
      format: ['esm'],
      external: [/^svc-(sdk|service)(\/|$)/],
      banner: withRequire,
      plugins: [mergeChunks({ folder: 'service/dist', entries: ['cli', 'serve-imports'], start: /\/cli-program-[^/]*$/, prefix: 'cli-' })],
      esbuildOptions: (options) => {
        options.chunkNames = 'cli-[name]-[hash]';
        Object.assign(options, SHORTER);
      },
    },
  ];
}
