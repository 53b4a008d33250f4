/** The code of docs/workers.md, docs/jest.md and docs/nextjs.md, run with the tarball in the environments that those pages name. */
import { constants } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { codeBlocks } from '../support/markdown';
import { startProcess } from '../support/processes';
import { startService } from '../support/service';
import { type InstalledPackage, installPackages } from './installed-package';
import { inBin, installFromRegistry, JEST, NEXT, WORKERD } from './runtimes';

const MINUTES = 300_000;

let project: InstalledPackage;
beforeAll(async () => {
  project = await installPackages('svc-sdk', 'svc-service');
}, MINUTES);
afterAll(() => project?.remove());

/** A service whose toolkit has the weather, and what finds it. */
async function startWeather(): Promise<Record<'SVC_BASE_URL' | 'SVC_AGENT_API_KEY', string>> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'today', actionDescription: "Today's weather in a city" }, (_ctx, { city }) => ({ city, celsius: 21 }));
  });
  return { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key };
}

const block = (page: string, file: string) => codeBlocks(page).find((each) => each.file === file)?.text ?? '';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

interface Miniflare {
  dispatchFetch(url: string): Promise<Response>;
  dispose(): Promise<void>;
}

const REFUSED_TOOLKIT = `
  const toolkit = new Toolkit({ apiKey: 'svc_toolkit_abcdefgh', baseUrl: 'http://127.0.0.1:9' });
  return Response.json(await toolkit.run().catch(({ code, message }) => ({ code, message })));
`;

test(
  'Cloudflare Workers: Tools work, and a Toolkit is refused at once',
  async () => {
    const bindings = await startWeather();
    await write(join(project.folder, 'worker.mjs'), block('docs/workers.md', 'worker.mjs'));
    await write(
      join(project.folder, 'toolkit-worker.mjs'),
      `import { Toolkit } from 'svc-sdk'; export default { async fetch() { ${REFUSED_TOOLKIT} } };`,
    );
    await bundleForWorkers(['worker.mjs', 'toolkit-worker.mjs']);

    const { resolve } = createRequire(join(await installFromRegistry(WORKERD), 'package.json'));
    const { Miniflare } = await import(pathToFileURL(resolve('miniflare')).href);
    const answerOf = async (file: string): Promise<unknown> => {
      const script = await readFile(join(project.folder, 'workers', file), 'utf8');
      const worker: Miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-05-01', bindings });
      onTestFinished(() => worker.dispose());
      return (await worker.dispatchFetch('http://worker.example/?city=Rome')).json();
    };
    expect(await answerOf('worker.mjs')).toEqual({ city: 'Rome', celsius: 21 });
    expect(await answerOf('toolkit-worker.mjs')).toEqual({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('cannot run in Cloudflare Workers'),
    });
  },
  MINUTES,
);

/** Resolves with the conditions that wrangler sets. */
async function bundleForWorkers(files: string[]): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: files.map((file) => join(project.folder, file)),
    outDir: join(project.folder, 'workers'),
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    splitting: false,
    platform: 'browser',
    noExternal: [/./],
    esbuildOptions: (options) => {
      options.conditions = ['workerd', 'worker', 'browser'];
    },
  });
}

test(
  'Jest: the test of docs/jest.md passes without any configuration',
  async () => {
    await write(join(project.folder, 'greeter.test.js'), block('docs/jest.md', 'greeter.test.js'));
    const jest = inBin(await installFromRegistry(JEST), 'jest');
    const { code, stderr } = await startProcess(process.execPath, [jest, '--rootDir', project.folder], { cwd: project.folder }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 passed, 1 total') });
  },
  MINUTES,
);

test(
  'Next.js: a build has Tools in both runtimes and the service, and refuses a Toolkit in the edge runtime',
  async () => {
    const folder = join(project.folder, 'next');
    // A bundler takes no node_modules from outside of the project.
    await cp(join(await installFromRegistry(...NEXT), 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    for (const name of ['svc-sdk', 'svc-service', 'ws']) {
      await cp(join(project.folder, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true, dereference: true });
    }
    const tools = `import { Tools } from 'svc-sdk';
    export async function GET() {
      const call = { id: 'call_kX9vQ2mZr7LpT4bWc8NfYh3D', type: 'function', function: { name: 'invoke_service', arguments: '{"action": "weather__today", "payload": {"city": "Rome"}}' } };
      return Response.json(await new Tools().callTools([call]));
    }`;
    const files = {
      'package.json': '{ "private": true }',
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
      'app/page.js': 'export default () => null;',
      'app/tools/route.js': `${tools} export const dynamic = 'force-dynamic';`,
      'app/edge-tools/route.js': `${tools} export const runtime = 'edge';`,
      'app/edge-toolkit/route.js': `import { Toolkit } from 'svc-sdk'; export const runtime = 'edge'; export async function GET() { ${REFUSED_TOOLKIT} }`,
      'app/service/route.js': `import { createService } from 'svc-service';
      export const dynamic = 'force-dynamic';
      export async function GET() {
        const service = await createService({ port: 0 });
        const { status } = await fetch(service.url + '/v1/openapi.json');
        await service.close();
        return Response.json({ status });
      }`,
    };
    for (const [path, text] of Object.entries(files)) await write(join(folder, path), text);

    const env = { ...(await startWeather()), NEXT_TELEMETRY_DISABLED: '1' };
    const next = (...args: string[]) => startProcess(process.execPath, [inBin(folder, 'next'), ...args], { cwd: folder, env });
    const built = await next('build').ended;
    expect(built, built.stderr).toMatchObject({ code: 0 });
    const server = next('start', '--port', '0');
    onTestFinished(() => server.kill('SIGKILL'));
    const [, url] = await server.printed(/(http:\/\/localhost:\d+)/);
    const get = async (path: string): Promise<unknown> => (await fetch(`${url}/${path}`)).json();

    const told = [expect.objectContaining({ content: '{"city":"Rome","celsius":21}' })];
    expect(await get('tools')).toEqual(told);
    expect(await get('edge-tools')).toEqual(told);
    expect(await get('edge-toolkit')).toMatchObject({ message: expect.stringContaining('cannot run in an edge runtime') });
    expect(await get('service')).toEqual({ status: 200 });
  },
  MINUTES,
);
