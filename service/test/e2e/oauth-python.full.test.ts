// @module-tag python
/** The official Python client and FastMCP's sign in at `/mcp` with nothing but its URL. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { locateProgram } from '../../../scripts/programs.ts';
import { environment } from '../../../test/support/processes';
import { serveClientDocument } from '../support/oauth/client-document';
import { type SignInStage, startSignInStage } from '../support/oauth/sign-in-stage';

const SCRIPT = new URL('../../../python/tests/support/mcp_sign_in.py', import.meta.url).pathname;
const DOCUMENT = '{"client_id":"","client_name":"Probe","redirect_uris":["http://127.0.0.1/callback"]}';
const THREE = Array.from({ length: 3 }, () => ({ said: 'hi' }));

/** Each round of calls comes when the one before was taken. */
function startClient({ mcpUrl, browserOf }: SignInStage, kind: string, ...document: string[]) {
  const { BROWSER, ...env } = browserOf();
  // Python waits for a browser that is not in the background.
  const child = spawn(locateProgram('python'), [SCRIPT, kind, mcpUrl, ...document], {
    env: { ...environment(), ...env, BROWSER: `${BROWSER} &` },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    round: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The client ended: ${stderr}`);
      return JSON.parse(value);
    },
    nextRound: () => void child.stdin.write('\n'),
  };
}

test.each(['mcp', 'fastmcp'])('%s registers, and refreshes what expires once for calls at the same time', async (kind) => {
  const stage = await startSignInStage();
  const client = startClient(stage, kind);
  expect(await client.round()).toEqual(THREE);
  for (let minute = 0; minute < 2; minute++) {
    stage.expireTokens();
    client.nextRound();
    expect(await client.round()).toEqual(THREE);
  }
  expect(await stage.connectedApps()).toMatchObject([{ name: 'Probe (localhost)', signIns: 1 }]);
});

test('mcp signs in by its client document', async () => {
  const stage = await startSignInStage({ privateClientHosts: ['localhost'] });
  const document = await serveClientDocument(DOCUMENT);
  expect(await startClient(stage, 'mcp', document.url).round()).toEqual(THREE);
  expect(await stage.connectedApps()).toMatchObject([{ client: { name: 'Probe', document: document.url }, signIns: 1 }]);
});
