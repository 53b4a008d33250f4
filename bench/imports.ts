/**
 * `npm run bench:imports`: what imports cost. Registers GitHub's operations beside probes of `/healthz`; calls an action of an MCP server and of an
 * OpenAPI document beside a native handler; and counts what 50 deaf servers behind `npx` leave. bench/README.md explains the figures.
 *
 * Needs `npm run build:js`, and downloads GitHub's document (29 MB) once.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMcp } from 'svc-service/import';
import { Client, request } from 'undici';
import { cacheFolder, packageFiles } from '../scripts/imports/package-files.ts';
import { OCTOKIT } from '../scripts/imports/real-documents.ts';
import { PATHS } from '../src/protocol/http.ts';
import { runningWith } from '../test/support/marked-processes.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { type MeasuredProcess, startMeasured } from './common/measured-process.ts';
import { temporaryFolder } from './common/processes.ts';
import { percentile, spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { createKeys } from './svc/admin-keys.ts';
import { startServiceNode } from './svc/node.ts';
import { toolkitEnvironment } from './svc/sdk.ts';
import { createKey, onDisk } from './svc/service.ts';

const ROUNDS = 5;
const CALLS = 400;
const CALLERS = 16;
const PROBE_EVERY_MS = 2;
const DEAF_SERVERS = 50;
const DEAF_AT_ONCE = 10;

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

console.log(describeMachine(machineFacts()));
const storage = onDisk(temporaryFolder());
const adminKey = await createKey('admin', storage);
const service = await startServiceNode(storage);
const origin = service.address;
await measureRegistration();
await measureCalls();
await service.stop();
await measureDeafServers();

async function startToolkit(name: string, ...args: string[]): Promise<MeasuredProcess> {
  const [key] = await createKeys(origin, adminKey, [{ kind: 'toolkit', name }]);
  const env = toolkitEnvironment(origin, `${key?.key}`);
  return startMeasured([source('imports/toolkit-process.ts'), ...args], { ready: /ready/, env });
}

async function measureRegistration(): Promise<void> {
  const [document = ''] = packageFiles(cacheFolder(), OCTOKIT, ['generated/api.github.com.json']);
  const rows: string[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const idle = await probe(sleep(1_000));
    const before = await service.usage();
    const begin = performance.now();
    const starting = startToolkit(`github-${round}`, 'document', document, `github-${round}`);
    const { slowestMs } = await probe(starting);
    const toolkit = await starting;
    const readyMs = performance.now() - begin;
    const [own, served] = [await toolkit.usage(), await service.usage()];
    rows.push([round, idle.slowestMs, slowestMs, readyMs, own.cpuMs, served.cpuMs - before.cpuMs].map((value) => value.toFixed(0)));
    await toolkit.stop();
  }
  const head = ['round', 'slowest /healthz idle', 'meanwhile', 'ready ms', 'CPU ms toolkit', 'CPU ms service'];
  console.log(`\nGitHub's operations\n${formatTable(head, rows)}`);
}

async function probe(until: Promise<unknown>): Promise<{ slowestMs: number }> {
  const client = new Client(origin);
  let slowestMs = 0;
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begin = performance.now();
    await (await client.request({ path: PATHS.health, method: 'GET' })).body.dump();
    slowestMs = Math.max(slowestMs, performance.now() - begin);
    await sleep(PROBE_EVERY_MS);
  }
  await client.close();
  return { slowestMs };
}

async function measureCalls(): Promise<void> {
  const api = createServer((incoming, response) => {
    response.setHeader('content-type', 'application/json');
    incoming.pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => api.once('listening', listening));
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const server = source('../test/support/faulty-mcp-server.mjs');
  const alone = openMcp({ command: process.execPath, args: [server] });
  const direct = (await alone.listActions()).find(({ action }) => action === 'echo');
  const toolkits = [
    await startToolkit('native', 'native'),
    await startToolkit('mcp', 'mcp', server),
    await startToolkit('openapi', 'openapi', apiUrl),
  ];
  const [agent] = await createKeys(origin, adminKey, [{ kind: 'agent', name: 'caller' }]);
  const invoke = (action: string) => async () => {
    const headers = { authorization: `Bearer ${agent?.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ action, payload: { text: 'hello' } });
    const answer = await request(origin + PATHS.invoke, { method: 'POST', headers, body });
    if (answer.statusCode !== 200) throw new Error(`${action}: ${await answer.body.text()}`);
    await answer.body.dump();
  };
  const ways: Record<string, () => Promise<unknown>> = {
    native: invoke('native__echo'),
    mcp: invoke('mcp__echo'),
    openapi: invoke('openapi__echo'),
    'MCP alone': async () => direct?.handler({ signal: new AbortController().signal } as never, { text: 'hello' }),
    'HTTP alone': async () => (await request(`${apiUrl}/echo`, { method: 'POST', body: '{"text":"hello"}' })).body.dump(),
  };
  const p50 = new Map<string, number[]>();
  const perSecond = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, call] of Object.entries(ways)) {
      const median = await medianMs(call);
      const rate = await callsPerSecond(call);
      // The first round warms up.
      if (round > 0) p50.set(name, [...(p50.get(name) ?? []), median]);
      if (round > 0) perSecond.set(name, [...(perSecond.get(name) ?? []), rate]);
    }
  }
  const middle = (values: Map<string, number[]>, name: string) => spreadOf(values.get(name) ?? []).median;
  const ratio = (name: string) => (perSecond.get(name) ?? []).map((rate, round) => rate / (perSecond.get('native')?.[round] ?? 0));
  const rows = Object.keys(ways).map((name) => {
    const spread = spreadOf(ratio(name));
    const ratios = `${spread.median.toFixed(2)} [${spread.lowerQuartile.toFixed(2)}-${spread.upperQuartile.toFixed(2)}]`;
    return [name, middle(p50, name).toFixed(2), middle(perSecond, name).toFixed(0), name.endsWith('alone') ? '' : ratios];
  });
  console.log(`\nCalls\n${formatTable(['way', 'p50 ms, 1 caller', `calls/s, ${CALLERS} callers`, 'of native'], rows)}`);
  for (const [bridge, upstream] of [
    ['mcp', 'MCP alone'],
    ['openapi', 'HTTP alone'],
  ] as const) {
    const shares = (p50.get(bridge) ?? []).map(
      (value, round) => value - (p50.get('native')?.[round] ?? 0) - (p50.get(upstream)?.[round] ?? 0),
    );
    const { min, median } = spreadOf(shares);
    console.log(`the ${bridge} bridge's own share of a call: p50 ${median.toFixed(2)} ms, lowest round ${min.toFixed(2)} ms`);
  }
  await Promise.all([...toolkits.map((toolkit) => toolkit.stop()), alone.close()]);
  api.close();
}

async function medianMs(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
  }
  return percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

async function callsPerSecond(call: () => Promise<unknown>): Promise<number> {
  const left = Array.from({ length: CALLS * 2 }).values();
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const _ of left) await call();
    }),
  );
  return (CALLS * 2 * 1_000) / (performance.now() - begin);
}

async function measureDeafServers(): Promise<void> {
  const folder = temporaryFolder();
  const mark = `--mark=${crypto.randomUUID()}`;
  const program = join(folder, 'node_modules/.bin/deaf-server');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  writeFileSync(program, `#!/bin/sh\nexec sh ${source('../test/support/deaf-mcp-server.sh')} "$1"\n`);
  chmodSync(program, 0o755);
  let started = 0;
  for (let count = 0; count < DEAF_SERVERS; count += DEAF_AT_ONCE) {
    const servers = Array.from({ length: DEAF_AT_ONCE }, () =>
      openMcp({ command: 'npx', args: ['--no-install', 'deaf-server', mark], cwd: folder }),
    );
    await Promise.all(servers.map((server) => server.listActions()));
    started += runningWith(mark).length;
    await Promise.all(servers.map((server) => server.close()));
  }
  console.log(
    `\n${DEAF_SERVERS} deaf servers behind npx: ${started} processes, ${runningWith(mark).length} left; ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  );
}
