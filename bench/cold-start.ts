/**
 * `node bench/cold-start.ts [--runs 10] [--imports 20]`: milliseconds from `spawn` until the service, with its console and without, is ready and
 * until it answers `GET /healthz`, and until `svc-tools-mcp` answers its first message, beside bare Node and a bare `node:http` server; and what
 * importing the package costs.
 *
 * The commands take turns, so that what the machine does meanwhile hits all of them.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { PATHS } from '../src/protocol/http.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { goalLine } from './common/goal.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { pollUntil } from './common/poll-until.ts';
import { type RunningProcess, removeFolder, startNode, temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { builtFile } from './svc/built-file.ts';
import { onDisk, startService } from './svc/service.ts';

const MOST_TIMES_BARE = 3;
const MOST_INITIALIZE_MS = 100;
const MOST_IMPORT_MS = 4;

const { runs, imports } = benchCommand('node bench/cold-start.ts')
  .option('--runs <count>', 'starts of each command', wholeNumber, 10)
  .option('--imports <count>', 'imports of the package', wholeNumber, 20)
  .parse()
  .opts<{ runs: number; imports: number }>();
const library = builtFile('dist/index.js');

console.log(describeMachine(machineFacts()));
const folder = temporaryFolder();
const source = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const keptData = join(folder, 'kept-data');
const bareServer = source(
  'bare-server.mjs',
  `import { createServer } from 'node:http';
   const server = createServer((request, response) => response.end());
   server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
);
const emptyModule = source('empty.mjs', '');
const importingModule = source('importing.mjs', `await import(${JSON.stringify(pathToFileURL(library).href)});`);

const starts = await inTurn(runs, {
  'node -e 0': async () => ({ ready: await timeToEnd(['-e', '0']) }),
  'node:http server': () => timeToAnswer(() => startNode([bareServer], { ready: /http:\S+(?=\s)/ })),
  'svc-service serve, new data': () => timeOnNewData(),
  'svc-service serve, new data, --no-console': () => timeOnNewData({ options: ['--no-console'] }),
  // The state after an install, before anything is compiled.
  'svc-service serve, new data, first start': () => timeOnNewData({ env: { NODE_DISABLE_COMPILE_CACHE: '1' } }),
  'svc-service serve, kept data': () => timeToAnswer(() => startService(onDisk(keptData))),
  'svc-tools-mcp, to initialize': async () => ({ ready: await timeToInitialize() }),
});
console.log(formatTable(['milliseconds from spawn', 'min', 'median', 'max', 'to /healthz: min', 'median', 'max'], starts.map(startRow)));

const loads = await inTurn(imports, {
  empty: async () => ({ ready: await timeToEnd([emptyModule]) }),
  importing: async () => ({ ready: await timeToEnd([importingModule]) }),
});
const [empty, importing] = loads.map(({ times }) => times.map(({ ready }) => ready));
const difference = spreadOf((importing ?? []).map((time, round) => time - (empty?.[round] ?? Number.NaN)));
console.log(
  `import of svc-sdk: ${difference.median.toFixed(1)} ms [${difference.lowerQuartile.toFixed(1)}-${difference.upperQuartile.toFixed(1)}] ` +
    `more than an empty module (${spreadOf(empty ?? []).median.toFixed(1)} ms), ${imports} pairs`,
);

const medianOf = (name: string) => spreadOf(starts.find((timed) => timed.name === name)?.times.map(({ ready }) => ready) ?? []).median;
const times = (name: string) => medianOf(name) / medianOf('node:http server');
console.log(
  [
    ...['svc-service serve, new data', 'svc-service serve, kept data'].map((name) =>
      goalLine(times(name) <= MOST_TIMES_BARE, `${name}, at most ${MOST_TIMES_BARE} times node:http: ${times(name).toFixed(1)}`),
    ),
    goalLine(
      medianOf('svc-tools-mcp, to initialize') <= MOST_INITIALIZE_MS,
      `svc-tools-mcp, to initialize in at most ${MOST_INITIALIZE_MS} ms: ${medianOf('svc-tools-mcp, to initialize').toFixed(0)}`,
    ),
    goalLine(difference.median <= MOST_IMPORT_MS, `import of svc-sdk, at most ${MOST_IMPORT_MS} ms: ${difference.median.toFixed(1)}`),
  ].join('\n'),
);

/** Milliseconds since the spawn. */
interface Times {
  /** The ready line, or the end of a process that has none. */
  ready: number;
  answered?: number;
}

interface Timed {
  name: string;
  times: Times[];
}

async function inTurn(rounds: number, commands: Record<string, () => Promise<Times>>): Promise<Timed[]> {
  const timed = Object.entries(commands).map(([name, run]) => ({ name, run, times: [] as Times[] }));
  // Round 0 fills the file cache and creates the kept data; it does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const { run, times } of timed) {
      const measured = await run();
      if (round > 0) times.push(measured);
    }
  }
  return timed;
}

/** Rejects when the process fails: a module that cannot be loaded is quick. */
async function timeToEnd(args: string[]): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, args);
  return performance.now() - startedAt;
}

/** Starts a server like an MCP client: until the answer to the first message. */
async function timeToInitialize(): Promise<number> {
  const startedAt = performance.now();
  const server = spawn(process.execPath, [builtFile('dist/svc-tools-mcp.js')], { stdio: ['pipe', 'pipe', 'ignore'] });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const [answer] = await once(server.stdout, 'data');
  const answered = performance.now() - startedAt;
  server.stdin.end();
  await once(server, 'close');
  if (!('result' in JSON.parse(answer))) throw new Error(`svc-tools-mcp answered ${answer}`);
  return answered;
}

async function timeOnNewData(options?: Parameters<typeof startService>[1]): Promise<Times> {
  const data = temporaryFolder();
  const times = await timeToAnswer(() => startService(onDisk(data), options));
  removeFolder(data);
  return times;
}

async function timeToAnswer(start: () => RunningProcess): Promise<Times> {
  const startedAt = performance.now();
  const server = start();
  const [origin] = await server.ready;
  const ready = performance.now() - startedAt;
  await untilHealthy(origin);
  const answered = performance.now() - startedAt;
  await server.stop();
  return { ready, answered };
}

function untilHealthy(origin: string): Promise<true> {
  return pollUntil(`200 from ${origin}${PATHS.health}`, async () => {
    const answer = await request(`${origin}${PATHS.health}`);
    await answer.body.dump();
    return answer.statusCode === 200 || undefined;
  });
}

function startRow({ name, times }: Timed): string[] {
  const cells = (values: number[]) => {
    const { min, median, max } = spreadOf(values);
    return [min, median, max].map((value) => (values.length > 0 ? value.toFixed(0) : ''));
  };
  return [name, ...cells(times.map(({ ready }) => ready)), ...cells(times.flatMap(({ answered }) => answered ?? []))];
}
