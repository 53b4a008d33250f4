/**
 * `npm run imports:servers`: starts every MCP server of `examples/toolkits.yaml`, finds one of its actions by search and calls it, and counts the
 * processes that are left after `stop()`, and after the toolkit's process got SIGTERM and SIGKILL.
 *
 * Needs Python 3, Chromium for playwright, and the registries of npm and PyPI. Exits with 1 when a server fails or leaves a process.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tools } from 'svc-sdk';
import { createService } from 'svc-service';
import { mcpToolkit, type ProcessConfig } from 'svc-service/import';
import { pollUntil } from '../bench/common/poll-until.ts';
import { exampleToolkits, provideUvx, withCertificates } from './imports/example-toolkits.ts';
import { cacheFolder } from './imports/package-files.ts';
import { locateProgram } from './programs.ts';

interface Trial {
  /** Words that must find the action among the first ten. */
  query: string;
  action: string;
  payload: object;
  /** More arguments of the server, for this machine. */
  args?: string[];
}

const folder = mkdtempSync(join(tmpdir(), 'imports-servers-'));
const note = join(folder, 'note.txt');
writeFileSync(note, 'Sail on Tuesday');
execFileSync('git', ['init', '--quiet', folder]);

const service = await createService({ port: 0 });
const thought = { thought: 'One', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
const TRIALS: Record<string, Trial> = {
  filesystem: { query: 'read a text file', action: 'read_text_file', payload: { path: note } },
  memory: {
    query: 'store facts about a person',
    action: 'create_entities',
    payload: { entities: [{ name: 'Ann', entityType: 'person', observations: ['sails'] }] },
  },
  thinking: { query: 'think step by step', action: 'sequentialthinking', payload: thought },
  everything: { query: 'echo a message', action: 'echo', payload: { message: 'hello' } },
  playwright: {
    query: 'navigate the browser to a URL',
    action: 'browser_navigate',
    payload: { url: `${service.url}/healthz` },
    args: ['--no-sandbox', '--executable-path', locateProgram('chromium')],
  },
  git: { query: 'status of a git repository', action: 'status', payload: { repo_path: folder } },
  time: { query: 'current time in a time zone', action: 'get_current_time', payload: { timezone: 'Asia/Tokyo' } },
  fetch: { query: 'fetch a web page', action: 'fetch', payload: { url: service.url, raw: true }, args: ['--allow-private-ips'] },
};

let failed = 0;
provideUvx(cacheFolder());
try {
  for (const [id, entry] of Object.entries(exampleToolkits(folder))) {
    const started = withCertificates(entry);
    if (!('mcp' in started) || !('command' in started.mcp)) continue;
    // Every process of the server has its working folder, and nothing else has that.
    const args = [...(started.mcp.args ?? []), ...(TRIALS[id]?.args ?? [])].map((arg) => (arg === '.' ? folder : arg));
    const server: ProcessConfig = { ...started.mcp, cwd: folder, args };
    const problem = await tryServer(id, server, TRIALS[id]).catch((error: Error) => error.message.slice(0, 600));
    if (problem === undefined) continue;
    failed++;
    console.error(`${id}: ${problem}`);
  }
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

/** Undefined when all is well. */
async function tryServer(id: string, server: ProcessConfig, trial: Trial | undefined): Promise<string | undefined> {
  if (!trial) return 'has no trial in this script';
  const begin = performance.now();
  const { key } = await service.keys.create({ kind: 'toolkit', name: id });
  const toolkit = await mcpToolkit({ server, toolkitId: id, toolkit: { baseUrl: service.url, apiKey: key } });
  const startMs = Math.round(performance.now() - begin);
  void toolkit.run();
  try {
    const { accepted } = await toolkit.ready;
    const tools = new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: id })).key });
    const wanted = `${id}__${trial.action}`;
    const found = await tools.search(trial.query);
    const isFound = [...found.actions, ...(found.more ?? [])].some(({ action }) => action === wanted);
    if (!isFound) return `search did not find ${wanted} by "${trial.query}"`;
    const { result } = await tools.invoke(wanted, trial.payload, { timeoutMs: 60_000 });
    console.log(`${id}: ${accepted.length} actions after ${startMs} ms, ${JSON.stringify(result)?.slice(0, 80)}`);
  } finally {
    await toolkit.stop({ timeoutMs: 1_000 });
  }
  const left = runningIn(folder);
  if (left.length > 0) return `stop() left ${left.join(', ')}`;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) await endParent(server, signal);
  return undefined;
}

/** Rejects when a process of the server is there 20 s after its parent got the signal. */
async function endParent({ command, args = [], env = {} }: ProcessConfig, signal: NodeJS.Signals): Promise<void> {
  const script = fileURLToPath(new URL('../test/support/start-mcp-process.mjs', import.meta.url));
  const hooks = fileURLToPath(new URL('source-imports.ts', import.meta.url));
  const parent = spawn(process.execPath, ['--import', hooks, script, command, ...args], { cwd: folder, env: { ...process.env, ...env } });
  const ended = new Promise((resolve) => parent.once('close', resolve));
  await new Promise((resolve) => parent.stdout.once('data', resolve));
  await pollUntil('a process of the server', async () => (runningIn(folder).length > 1 ? true : undefined));
  parent.kill(signal);
  await ended;
  await pollUntil(`the end of ${command} ${args.join(' ')} after ${signal}`, async () =>
    runningIn(folder).length === 0 ? true : undefined,
  );
}

/** Ids of the processes with that working folder. */
function runningIn(path: string): string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && workingFolder(id) === path);
}

function workingFolder(id: string): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    // It ended since the folder was read, or is a zombie.
    return undefined;
  }
}
