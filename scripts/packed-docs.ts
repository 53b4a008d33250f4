/**
 * The pages of docs/ in the tarball of svc-service, without pictures and decisions: `npm run build` copies them to service/docs, because npm packs
 * nothing from outside of a package's folder.
 */
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const packed = fileURLToPath(new URL('../service/docs', import.meta.url));
const leftOut = [`${docs}/images`, `${docs}/decisions`];

rmSync(packed, { recursive: true, force: true });
cpSync(docs, packed, { recursive: true, filter: (path) => !leftOut.includes(path) });
