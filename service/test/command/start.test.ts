/** The built service loads little until it says that it listens: each file and each thread is time that a start takes. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { startProcess } from '../../../test/support/processes';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { openApiDocument } from '../../src/http/openapi';
import { startCommand } from '../support/command';

interface Loaded {
  files: string[];
  /** zod schemas with a description. */
  schemas: number;
  threads: number;
  builtin: string[];
}

/** Writes what was loaded when the line is printed. */
const RECORDER = `
  import { subscribe } from 'node:diagnostics_channel';
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const files = [];
  let threads = 0;
  let schemas = 0;
  const { set } = WeakMap.prototype;
  WeakMap.prototype.set = function (key, value) {
    if (key && '_zod' in key && value?.description) schemas++;
    return Reflect.apply(set, this, [key, value]);
  };
  subscribe('worker_threads', () => threads++);
  registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url); return next(url, context); } });
  const { write } = process.stdout;
  process.stdout.write = (text, ...rest) => {
    if (String(text).includes('listens on')) {
      const builtin = process.moduleLoadList.map((line) => line.replace('NativeModule ', ''));
      writeFileSync(process.env.LOADED_FILE, JSON.stringify({ files, schemas, threads, builtin }));
    }
    return Reflect.apply(write, process.stdout, [text, ...rest]);
  };`;

test('a start loads one large file and a few small ones, no thread, no schema of the wire, and neither undici, TLS nor the routes that no call needs', async () => {
  const { path: cwd, remove } = makeFolder();
  onTestFinished(remove);
  const recorder = join(cwd, 'recorder.mjs');
  writeFileSync(recorder, RECORDER);
  const file = join(cwd, 'loaded.json');
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(recorder)}`, LOADED_FILE: file };
  const service = startCommand(['serve', '--port', '0'], { cwd, env });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, url = ''] = await service.printed(/listens on (\S+)/);

  const { files, schemas, threads, builtin } = JSON.parse(readFileSync(file, 'utf8')) as Loaded;
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThan(25);
  expect(files.filter((name) => name.includes('app-listener'))).toEqual([]);
  expect(threads).toBe(0);
  expect(schemas).toBeLessThan(1);
  expect(builtin.filter((name) => /undici|http2|^tls$/.test(name))).toEqual([]);
  // Schemas that are made at their first use are in the document too.
  expect(await (await fetch(`${url}/v1/openapi.json`)).json()).toEqual(openApiDocument(ADMIN_ROUTES));
});

test('a program that is killed has left its compiled modules behind', async () => {
  const { path: cwd, remove } = makeFolder();
  onTestFinished(remove);
  const source = pathToFileURL(join(import.meta.dirname, '../../../src/compile-cache.ts')).href;
  writeFileSync(join(cwd, 'needed.mjs'), 'export const needed = () => 1;');
  writeFileSync(
    join(cwd, 'program.mjs'),
    `import { useCompileCache } from '${source}';
     useCompileCache('${pathToFileURL(join(cwd, 'dist', 'program.mjs'))}');
     await import('./needed.mjs');
     setInterval(() => {}, 1_000);
     console.log('loaded');`,
  );
  const program = startProcess(process.execPath, [join(cwd, 'program.mjs')], { cwd });
  await program.printed(/loaded/);
  const cache = join(cwd, '.compile-cache');
  await expect.poll(() => existsSync(cache) && readdirSync(cache, { recursive: true }).length > 1, { timeout: 60_000 }).toBe(true);
  program.kill('SIGKILL');
  await program.ended;
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1);
});
