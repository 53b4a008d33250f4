/** The console as files that any web server could send: built to `dist/console`, beside the service that sends them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/console', import.meta.url));

/** Beside each text its `.br` and `.gz`, so that nobody compresses while a browser waits. The page itself gets a nonce each time, and is small. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const file of readdirSync(join(out, 'assets')).filter((name) => /\.(js|css|svg)$/.test(name))) {
      const path = join(out, 'assets', file);
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  },
};

/** Mantine's styles are imported component by component: what is missing among them is named, before anybody sees it. */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  apply: 'build',
  generateBundle(_options, bundle) {
    const imported = new Set(readFileSync(join(root, 'src/mantine.css'), 'utf8').match(/(?<=styles\/)\w+(?=\.css)/g));
    for (const chunk of Object.values(bundle)) {
      for (const [id, { renderedLength }] of Object.entries(chunk.type === 'chunk' ? chunk.modules : {})) {
        const name = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1];
        if (name && renderedLength > 0 && !imported.has(name)) this.error(`console/src/mantine.css lacks the styles of ${name}`);
      }
    }
  },
};

export default defineConfig({
  root,
  plugins: [react(), stylesOfComponents, compressed],
  // The service writes a fresh one into each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Nearly all licences ask that their notice goes with every copy.
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    // Over HTTP/1.1 a browser asks for six files at a time: what some pages share comes in one, instead of in thirty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] } } },
    chunkSizeWarningLimit: 700,
  },
  // The service takes changes from pages of the host that it is asked as.
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8787', changeOrigin: false } } },
});
