/**
 * `npm run bench:token [-- --rounds 5 --calls 200]`: `initialize` and a call of `invoke_service` at `/mcp` with the access token of a connected
 * app beside an agent key, and the endpoints of a sign-in. Key and token take turns, so that what the machine does meanwhile hits both.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Toolkit } from 'svc-sdk';
import { request } from 'undici';
import { OAuthClient, tokensOf } from '../service/test/support/oauth-client.ts';
import { ADMIN_PATHS } from '../src/protocol/admin-constants.ts';
import { PATHS } from '../src/protocol/http.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { removeFolder, temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { builtFile } from './svc/built-file.ts';
import { createKey, onDisk, startService, waitForAction } from './svc/service.ts';

const { rounds, calls } = benchCommand('npm run bench:token --')
  .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
  .option('--calls <count>', 'requests of a round', wholeNumber, 200)
  .parse()
  .opts<{ rounds: number; calls: number }>();

console.log(describeMachine(machineFacts()));
const folder = temporaryFolder();
const service = startService(onDisk(folder));
const [origin = ''] = await service.ready;
const toolkit = new Toolkit({ apiKey: await createKey('toolkit', onDisk(folder)), baseUrl: origin });
toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, () => ({ said: 'hello' }));
const serving = toolkit.run();
const key = await createKey('agent', onDisk(folder));
const action = await waitForAction(origin, key, 'echo');
const person = await joinOwner();
const app = await OAuthClient.register(origin);
const { access_token: token } = await app.signIn(person);

const call = { method: 'tools/call', params: { name: 'invoke_service', arguments: { action, payload: {} } } };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const rows: string[][] = [];
for (const [name, message] of Object.entries({ initialize, 'tools/call': call })) {
  const [withKey, withToken] = await inTurn([() => send(message, key), () => send(message, token)]);
  rows.push([name, ...[withKey, withToken, withToken / withKey].map((value) => value.toFixed(2))]);
}
console.log(formatTable(['median of a request', 'agent key ms', 'token ms', 'ratio'], rows));

const codes = await medianOf(async () => void (await app.code(person)), 20);
const exchanges = await medianOf(async () => void (await app.signIn(person)), 20);
let { refresh_token: refreshToken } = await app.signIn(person);
const refreshes = await medianOf(async () => {
  ({ refresh_token: refreshToken } = await tokensOf(await app.refresh(refreshToken)));
}, 100);
const registrations = await medianOf(async () => void (await OAuthClient.register(origin)), 100);
const steps = { registration: registrations, decision: codes, 'decision and exchange': exchanges, refresh: refreshes };
console.log(
  `\n${formatTable(
    ['median of a step', 'ms'],
    Object.entries(steps).map(([name, ms]) => [name, ms.toFixed(2)]),
  )}`,
);

await toolkit.stop();
await serving;
await service.stop();
removeFolder(folder);

/** The medians of several requests, each of which is sent `calls` times in a round. */
async function inTurn(sends: (() => Promise<void>)[]): Promise<[number, number]> {
  const times = sends.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, each] of sends.entries())
      for (let number = 0; number < calls; number++) {
        const startedAt = performance.now();
        await each();
        // The first round warms up.
        if (round > 0) times[index]?.push(performance.now() - startedAt);
      }
  const [first = [], second = []] = times;
  return [spreadOf(first).median, spreadOf(second).median];
}

async function medianOf(step: () => Promise<void>, count: number): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const startedAt = performance.now();
    await step();
    times.push(performance.now() - startedAt);
  }
  return spreadOf(times).median;
}

async function send(message: object, bearer: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  };
  const answer = await request(origin + PATHS.mcp, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || text.includes('"isError"')) throw new Error(`${answer.statusCode}: ${text}`);
}

/** An owner, by the one-time link of the service. */
async function joinOwner() {
  const args = [builtFile('service/dist/cli.js'), 'people', 'invite', '--role', 'owner', ...onDisk(folder), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const account = { token: /#(inv_\w+)/.exec(stdout)?.[1], name: 'Owner', email: 'owner@example.com', password: 'seven blue whales' };
  const post = (path: string, body: unknown, cookie = '') =>
    fetch(origin + path, { method: 'POST', headers: { origin, cookie, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const joined = await post(`${ADMIN_PATHS.invitations}/accept`, account);
  if (!joined.ok) throw new Error(await joined.text());
  const cookie = joined.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return {
    async json<T>(_method: string, path: string, body?: unknown): Promise<T> {
      const answer = await post(path, body, cookie);
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as T;
    },
  };
}
