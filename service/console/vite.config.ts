/** Builds the console as static files in `service/dist/console`, next to the service that serves them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { sbomOfPage } from '../../scripts/bundled-packages.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/console', import.meta.url));
/** Outside of the folder that the service serves. */
const sbom = fileURLToPath(new URL('../dist/console-sbom.cdx.json', import.meta.url));

/** Compresses every file at build time, as every browser reads it on every address. The page itself gets a new nonce each time, and is small. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const file of readdirSync(join(out, 'assets')).filter((name) => /\.(js|css|svg)$/.test(name))) {
      const path = join(out, 'assets', file);
      const text = readFileSync(path);
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  },
};

/** Mantine's styles are imported component by component. The build fails if one is missing. */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  apply: 'build',
  generateBundle(_options, bundle) {
    const imported = new Set(readFileSync(join(root, 'src/mantine.css'), 'utf8').match(/(?<=styles\/)\w+(?=\.css)/g));
    for (const chunk of Object.values(bundle)) {
      for (const [id, { renderedLength }] of Object.entries(chunk.type === 'chunk' ? chunk.modules : {})) {
        const name = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1];
        if (name && renderedLength > 0 && !imported.has(name)) this.error(`service/console/src/mantine.css lacks the styles of ${name}`);
      }
    }
  },
};

export default defineConfig({
  root,
  resolve: { alias: [{ find: /^#sdk\//, replacement: fileURLToPath(new URL('../../src/', import.meta.url)) }] },
  plugins: [react(), stylesOfComponents, compressed, sbomOfPage(sbom, fileURLToPath(new URL('..', import.meta.url)))],
  // The service replaces the placeholder with a new nonce in each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Nearly all licences require their notice in every copy.
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    // A browser requests six files at a time over HTTP/1.1, so the code that several pages share is one file, not thirty.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] } } },
    chunkSizeWarningLimit: 700,
  },
  // The service accepts changes only from pages of its own host.
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8787', changeOrigin: false } } },
});
