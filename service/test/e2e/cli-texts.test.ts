/** Untrusted texts on a terminal: only `svc-sdk` moves the cursor or begins a line, for any text of a service or toolkit. */
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lineText } from '#sdk/cli/line';
import { runInProcess } from '../../../test/support/command-in-process';
import { reportText } from '../../cli/lint/lint-report';

const HOSTILE = 'x\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u009b31m\u202e\u2066\u200b\u{e0041}\u0000\u0085\r\u007f\u2028y';
/** Also imitates a line of the command. */
const LINES = `${HOSTILE}\nsvc-sdk: all is well\t!`;

/** Answers every request so. */
async function hostileService(answer: unknown, status = 200): Promise<string> {
  const server = createServer((_, response) => {
    const type = status === 200 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await vi.waitFor(() => expect(server.address()).not.toBeNull());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = { id: LINES, action: LINES, code: LINES, startedAt: LINES, ms: 1, key: { id: 'k', name: LINES } };
const toolkit = { id: LINES, name: LINES, description: LINES, actions: 1, replicas: 1 };
const action = { action: LINES, toolkit: LINES, name: LINES, online: true, description: LINES, payloadSchema: { [LINES]: [LINES] } };
const explanation = {
  action: LINES,
  found: true,
  reason: LINES,
  terms: [{ term: LINES, kind: 'word', fields: { name: 1 } }],
  missing: [LINES],
};
const problem = {
  type: 'urn:svc-sdk:error:ACTION_FAILED',
  title: LINES,
  status: 502,
  detail: LINES,
  code: 'ACTION_FAILED',
  cause: { code: LINES, message: LINES, data: { [LINES]: LINES } },
  issues: [{ path: LINES, message: LINES }],
  didYouMean: [LINES],
};

test.for<[name: string, args: string[], answer: unknown, status?: number]>([
  ['calls', ['logs'], { invocations: [call] }],
  ['actions', ['actions', 'list'], { actions: [action], nextCursor: LINES }],
  ['toolkits', ['toolkits', 'list'], { toolkits: [toolkit] }],
  ['keys', ['keys', 'list'], { keys: [{ id: LINES, kind: 'agent', name: LINES, createdAt: LINES }] }],
  ['a search', ['search', 'x'], { actions: [action], more: [action], offline: [LINES], hint: LINES }],
  ['a result', ['invoke', 'a__b'], { invocationId: 'inv', result: { [LINES]: [LINES] }, content: [{ type: 'text', text: LINES }] }],
  ['an explanation', ['explain', 'a__b', 'x'], { ...explanation, usage: 0, score: 1, outrankedBy: [{ action: LINES, score: 1 }] }],
  ['an error of an action', ['invoke', 'a__b'], problem, 502],
  ['an error of a list', ['toolkits', 'list'], problem, 403],
])('%s', async ([, args, answer, status]) => {
  const url = await hostileService(answer, status);
  const env = { SVC_BASE_URL: url, SVC_AGENT_API_KEY: 'svc_agent_x', SVC_ADMIN_API_KEY: 'svc_admin_x' };
  const options = args[0] === 'keys' ? ['--url', url] : [];
  for (const [json, streams] of [
    [[], {}],
    [[], { columns: 60 }],
    [['--json'], {}],
  ] as const) {
    const { stdout, stderr } = await runInProcess([...args, ...options, ...json], { env, ...streams });
    expect(stdout + stderr).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}|[\u200b\u2028\u{e0041}]/u);
    if (json.length > 0) expect(() => JSON.parse(stdout || stderr)).not.toThrow();
    // The client cleans texts of errors when it reads them, and a message may have lines.
    if (status !== undefined) continue;
    expect(stdout + stderr).toMatch(/\\x1b|\\u001b/);
    expect(stdout).not.toMatch(/^svc-sdk: all is well/m);
    if (json.length > 0) expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(LINES).slice(1, -1));
  }
});

test('a wrong word of the command line is printable', async () => {
  for (const args of [[HOSTILE], ['keys', HOSTILE], ['search', '--limit', HOSTILE, 'x'], ['keys', 'create', '--kind', HOSTILE]]) {
    const { stderr } = await runInProcess(args, { env: {} });
    expect(stderr).toContain('\\x1b]52');
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
  }
});

test('findings are a line each', () => {
  const finding = { rule: LINES as 'colliding', severity: 'error' as const, action: LINES, message: LINES, hint: LINES };
  const report = { toolkit: 'x', actions: 1, rejected: [{ action: LINES, message: LINES }], findings: [finding] };
  expect(lineText(reportText(report), process.stdout)).not.toMatch(/^svc-sdk: all is well|(?!\n)\p{Cc}|\p{Bidi_Control}/mu);
});

test('only the terminal writes to the streams of a command', () => {
  const writes = (path: string) => /\bstd(?:out|err)\.write\(|console\.\w+\(/.test(readFileSync(path, 'utf8').replace(/`[^`]*`/g, ''));
  expect(globSync('{src,service}/cli/**/*.ts').filter(writes).sort()).toEqual([
    'service/cli/main.ts',
    'src/cli/main.ts',
    'src/cli/run-cli.ts',
    'src/cli/terminal.ts',
  ]);
});
