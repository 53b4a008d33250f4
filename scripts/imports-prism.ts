/**
 * Calls every imported action against prism, a mock that checks each request with the original document: once with the required fields, once with
 * all.
 *
 * `npm run imports:prism -- FOLDER DOCUMENT [N]` installs prism into that folder, if it is not there, and prints how many calls it answered
 * with 2xx; with N, of each Nth action.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { importOpenapi } from 'svc-service/import';
import { isObject } from '../src/protocol/json-object.ts';
import type { ActionError } from '../src/toolkit/action-error.ts';
import { callAction } from './imports/call-action.ts';

const PACKAGE = '@stoplight/prism-cli@5.16.0';
const START_MS = 300_000;
const MAX_SHOWN = 40;

const [folderName, documentPath, every = '1'] = process.argv.slice(2);
if (folderName === undefined || documentPath === undefined) {
  console.error('Name a folder for prism and a document: npm run imports:prism -- ~/prism api.json');
  process.exit(2);
}
const folder = resolve(folderName);
install();

async function roundTrip(baseUrl: string): Promise<void> {
  const auth = readAuth();
  const { actions } = importOpenapi(readFileSync(documentPath as string, 'utf8'), { toolkitId: 'api', baseUrl, deprecated: true, auth });
  const failures = new Map<string, string>();
  let calls = 0;
  for (const [index, action] of actions.entries()) {
    if (index % Number(every) !== 0) continue;
    for (const all of [false, true]) {
      calls++;
      try {
        await callAction(action, all);
      } catch (error) {
        const { message, options } = error as ActionError;
        failures.set(`${action.action}${all ? ', all fields' : ''}`, `${message} ${JSON.stringify(options?.data)?.slice(0, 400)}`);
      }
    }
  }
  for (const [action, message] of [...failures].slice(0, MAX_SHOWN)) console.log(`${action}: ${message}`);
  console.log({ actions: actions.length, calls, answered: calls - failures.size, share: (calls - failures.size) / calls });
}

/** Any secret for each scheme. */
function readAuth() {
  const { components, securityDefinitions } = JSON.parse(readFileSync(documentPath as string, 'utf8'));
  const schemes = Object.entries({ ...components?.securitySchemes, ...securityDefinitions });
  return {
    schemes: Object.fromEntries(
      schemes.map(([name, scheme]) => [name, isObject(scheme) && /basic/i.test(JSON.stringify(scheme)) ? 'me:secret' : 'secret']),
    ),
  };
}

async function started(prism: ChildProcess, baseUrl: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(500)) {
    if (prism.exitCode !== null) throw new Error(`prism ended with ${prism.exitCode}`);
    const answer = await fetch(baseUrl).catch(() => undefined);
    if (answer) return;
  }
  throw new Error(`prism did not start in ${START_MS} ms`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return isObject(address) ? Number(address.port) : 0;
}

function install(): void {
  if (existsSync(join(folder, 'node_modules/@stoplight/prism-cli'))) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGE], { cwd: folder, stdio: 'inherit' });
}

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const prism = spawn(process.execPath, [join(folder, 'node_modules/.bin/prism'), 'mock', resolve(documentPath), '-p', String(port)], {
  stdio: 'ignore',
});
try {
  await started(prism, baseUrl);
  await roundTrip(baseUrl);
} finally {
  prism.kill();
}
