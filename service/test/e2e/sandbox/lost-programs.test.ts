/** Programs whose thread or process ends under them. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { silentLogger } from '../../../src/lib/logger';
import { CodeRunner } from '../../../src/sandbox/code-runner';
import { type EngineFiles, locateEngine } from '../../../src/sandbox/engine';
import { inThreads } from '../../../src/sandbox/in-threads';
import { ProgramProcess } from '../../../src/sandbox/program-process';
import type { ProgramCall } from '../../../src/sandbox/sandbox';
import { echo, resultOf, runnerOf, testSandbox } from '../../support/programs';

test('a program that computes for long begins again, and the host answers once', async () => {
  const { run } = testSandbox();
  const call = vi.fn(echo);
  const code = `
    console.log('begins');
    const sum = (await Promise.all([1, 2, 1].map((i) => tools.a.b({ i })))).reduce((total, { data }) => total + data.payload.i, 0);
    for (let i = 0; i < 1e6; i++);
    return sum + (await tools.a.b({ i: 1 })).data.payload.i`;
  const end = await run(code, { call, limits: { fastCpuMs: 5, cpuMs: 20_000 } });
  expect(end).toMatchObject({ status: 'done', resultJson: '5', log: 'begins', calls: 4 });
  expect(call.mock.calls.map(([{ payloadJson, nth }]) => [payloadJson, nth])).toEqual([
    ['{"i":1}', 1],
    ['{"i":2}', 1],
    ['{"i":1}', 2],
    ['{"i":1}', 3],
  ]);
});

test('a program that blocks its thread fails, and its neighbours end as if it were not there', async () => {
  const { run } = testSandbox();
  const call = vi.fn(echo);
  const neighbours = Array.from({ length: 8 }, (_, n) =>
    run(`for (let i = 0; i < 30; i++) await tools.a.b({ i, n: ${n} }); return ${n}`, { call }),
  );
  const blocking = await run("return (new Array(1_000_000_000) + '').length", { limits: { cpuMs: 300 } });
  expect(blocking).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/CPU_LIMIT|MEMORY_LIMIT/) } });
  expect((await Promise.all(neighbours)).map(resultOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(call).toHaveBeenCalledTimes(8 * 30);
});

test('programs begin again when their process is killed, and the host answers once', async () => {
  const { run } = testSandbox();
  const asked: string[] = [];
  const call = async (one: ProgramCall) => {
    asked.push(`${one.payloadJson} ${one.nth}`);
    if (asked.length === 5) killPrograms();
    return echo(one);
  };
  const end = await run(
    'const all = []; for (let i = 0; i < 10; i++) all.push((await tools.a.b({ i: i % 4 })).data.payload.i); return all',
    { call },
  );
  expect(resultOf(end)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
  expect(new Set(asked).size).toBe(10);
  expect(asked).toHaveLength(10);
});

test('a program whose process ends four times is lost', async () => {
  const { run } = testSandbox();
  let kills = 0;
  const call = async (one: ProgramCall) => {
    kills++;
    killPrograms();
    return echo(one);
  };
  expect(resultOf(await run('for (let i = 0; i < 9; i++) await tools.a.b({ i })', { call }))).toMatchObject({ code: 'SANDBOX_LOST' });
  expect(kills).toBe(4);
  expect(resultOf(await run('return 1'))).toBe(1);
});

test('a line that is not a message ends the process, and no result comes of it', async () => {
  const forge = `
    import { parentPort } from 'node:worker_threads';
    const end = { status: 'done', resultJson: '{' };
    export class QuickJS {
      static async create() {
        for (let attempt = 1; attempt < 10; attempt++) parentPort.postMessage({ type: 'end', attempt, end });
        return new Promise(() => undefined);
      }
    }`;
  const run = runnerOf(sandboxOn(probe(forge)));
  expect(resultOf(await run('return 1'))).toMatchObject({ code: 'SANDBOX_LOST' });
});

test('a thread reads no other files, starts no process and no thread, and has no environment', async () => {
  const probing = `
    import { parentPort, Worker } from 'node:worker_threads';
    import { readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    const attempts = {
      read: () => readFileSync('/etc/passwd'),
      readHere: () => readFileSync(${JSON.stringify(fileURLToPath(import.meta.url))}),
      write: () => writeFileSync(new URL('./written', import.meta.url), ''),
      spawn: () => { const { error } = spawnSync('id'); if (error) throw error; },
      thread: () => new Worker('', { eval: true }),
      binding: () => process.binding('fs'),
      native: () => process.dlopen({ exports: {} }, '/tmp/none.node'),
      environment: () => { if (Object.keys(process.env).length === 0) throw Object.assign(new Error(), { code: 'EMPTY' }); },
    };
    const found = {};
    for (const [name, attempt] of Object.entries(attempts)) try { attempt(); found[name] = 'allowed' } catch (error) { found[name] = error.code }
    export class QuickJS {
      static async create() {
        parentPort.postMessage({ type: 'log', attempt: 1, text: JSON.stringify(found) });
        throw new Error();
      }
    }`;
  const run = runnerOf(sandboxOn(probe(probing)));
  const { log } = await run('return 1');
  const DENIED = 'ERR_ACCESS_DENIED';
  expect(JSON.parse(log)).toEqual({
    read: DENIED,
    readHere: DENIED,
    write: DENIED,
    spawn: DENIED,
    thread: DENIED,
    binding: DENIED,
    native: 'ERR_DLOPEN_DISABLED',
    environment: 'EMPTY',
  });
});

test('programs run in threads where Node has no permissions', async () => {
  const runner = new CodeRunner(inThreads(locateEngine()), silentLogger);
  onTestFinished(() => runner.close());
  expect(resultOf(await runnerOf(runner)('return (await tools.a.b({ n: 1 })).data.payload.n'))).toBe(1);
});

test('a closed sandbox ends its programs and takes no new ones', async () => {
  const { run, sandbox } = testSandbox();
  const asked = Promise.withResolvers<void>();
  const open = run('await tools.a.b()', {
    call: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  await asked.promise;
  await sandbox.close();
  expect(programProcesses()).toEqual([]);
  expect(resultOf(await open)).toMatchObject({ code: 'SANDBOX_LOST', message: expect.stringContaining('stopping') });
  expect(resultOf(await run('return 1'))).toMatchObject({ code: 'SANDBOX_LOST' });
});

test('too many programs at once are refused for now', async () => {
  const { run } = testSandbox();
  const cancel = new AbortController();
  const call = () => new Promise<never>(() => undefined);
  // Eight threads at most, with 64 programs each.
  const all = Array.from({ length: 8 * 64 + 1 }, () =>
    run('await tools.a.b()', { call, signal: cancel.signal, limits: { timeoutMs: 40_000 } }),
  );
  expect(resultOf(await Promise.race(all))).toMatchObject({ code: 'BUSY', message: expect.stringContaining('Try again') });
  cancel.abort();
  await Promise.all(all);
});

test('a service without the engine learns what to install', () => {
  expect(() => locateEngine(pathToFileURL(join(folder(), 'index.js')).href)).toThrow('npm install quickjs-wasi');
});

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** A module that takes the engine's place on the thread. */
function probe(module: string): EngineFiles {
  const path = folder();
  writeFileSync(join(path, 'engine.mjs'), module);
  copyFileSync(fileURLToPath(locateEngine().wasm), join(path, 'quickjs.wasm'));
  return { folder: path, engine: pathToFileURL(join(path, 'engine.mjs')).href, wasm: pathToFileURL(join(path, 'quickjs.wasm')).href };
}

function sandboxOn(engine: EngineFiles): CodeRunner {
  const runner = new CodeRunner((onMessage, onLost) => new ProgramProcess(engine, onMessage, onLost), silentLogger);
  onTestFinished(() => runner.close());
  return runner;
}

function killPrograms(): void {
  for (const pid of programProcesses()) process.kill(pid, 'SIGKILL');
}

/** Child processes of this one that run programs. */
function programProcesses(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isProgramProcess(pid));
}

function isProgramProcess(pid: number): boolean {
  try {
    const [, state = '', parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z' && Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox/child/main');
  } catch {
    return false; // It has ended.
  }
}
