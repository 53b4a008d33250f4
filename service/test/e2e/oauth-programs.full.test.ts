/** Programs that sign in at `/mcp` with nothing but its URL, and open a browser: mcp-remote and the Inspector. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { invoke } from '../../../test/support/mcp-calls';
import { environment, startProcess } from '../../../test/support/processes';
import { startSignInStage } from '../support/oauth/sign-in-stage';

const MCP_REMOTE = new URL('../../../node_modules/.bin/mcp-remote', import.meta.url).pathname;
const INSPECTOR = new URL('../../../node_modules/.bin/mcp-inspector', import.meta.url).pathname;

function makeHome(): string {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

test('mcp-remote signs in, refreshes an expired token for calls at the same time, and signs in again after Disconnect', async () => {
  const stage = await startSignInStage();
  const env = { ...(environment() as Record<string, string>), ...stage.browserOf(), HOME: makeHome() };
  const transport = new StdioClientTransport({
    command: MCP_REMOTE,
    args: [stage.mcpUrl, '--allow-http'],
    env,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'app', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const say = async (text: string) => (await client.callTool(invoke('echo__say', { text }))).structuredContent;
  expect(await say('hi')).toEqual({ said: 'hi' });
  stage.expireTokens();
  expect(await Promise.all(['one', 'two', 'three'].map(say))).toEqual(['one', 'two', 'three'].map((text) => ({ said: text })));
  expect(await stage.connectedApps()).toMatchObject([{ client: { host: 'localhost' }, signIns: 1 }]);
  await stage.disconnect();
  expect(await stage.connectedApps()).toEqual([]);
  expect(await say('back')).toEqual({ said: 'back' });
  expect(await stage.connectedApps()).toMatchObject([{ signIns: 1 }]);
});

test('the Inspector signs in and calls an action, and its next run needs no sign-in', async () => {
  const stage = await startSignInStage();
  const env = { ...stage.browserOf(), HOME: makeHome(), MCP_AUTO_OPEN_ENABLED: 'true' };
  const call = ['--method', 'tools/call', '--tool-name', 'invoke_service'];
  const args = ['--cli', stage.mcpUrl, '--transport', 'http', '--format', 'json', ...call];
  const say = async (text: string) => {
    const payload = JSON.stringify({ action: 'echo__say', payload: { text } });
    const { code, stdout, stderr } = await startProcess(INSPECTOR, [...args, '--tool-args-json', payload], { env }).ended;
    return { code, said: stdout || stderr };
  };
  expect(await say('hi')).toEqual({ code: 0, said: expect.stringMatching(/"said": ?"hi"/) });
  expect(await stage.connectedApps()).toMatchObject([{ client: { host: 'localhost' }, signIns: 1 }]);
  stage.expireTokens();
  expect(await say('again')).toEqual({ code: 0, said: expect.stringMatching(/"said": ?"again"/) });
});
