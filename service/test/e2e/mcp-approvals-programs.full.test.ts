// @module-tag python
/** Programs that speak MCP, whose call waits for a person: mcp-remote, the Inspector and the official Python client. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { locateProgram } from '../../../scripts/programs.ts';
import { makeFolder } from '../../../test/support/folder';
import { invoke } from '../../../test/support/mcp-calls';
import { environment, startProcess } from '../../../test/support/processes';
import { startService } from '../../../test/support/service';
import { startApprover } from '../support/approver';
import { shortWaits } from '../support/mcp-door';

const PYTHON_CLIENT = new URL('../../../python/tests/support/mcp_approvals.py', import.meta.url).pathname;
const programOf = (name: string) => new URL(`../../../node_modules/.bin/${name}`, import.meta.url).pathname;
const ORDER = { action: 'shop__order', payload: { item: 'tea' } };

async function startShop() {
  const service = await startService();
  const ran: unknown[] = [];
  await service.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'order', actionDescription: 'Orders an item', payloadDescription: { item: 'text' } }, (_, { item }) => {
      ran.push(item);
      return `${item} is ordered`;
    });
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'client', rules: [{ match: {}, do: 'ask' }] });
  return { mcpUrl: `${service.url}/mcp`, key, ran, approver: await startApprover(service) };
}

function makeHome(): string {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

test('mcp-remote holds the call, which runs when a person has approved', async () => {
  shortWaits({ holdMs: 30_000 });
  const { mcpUrl, key, ran, approver } = await startShop();
  const env = { ...(environment() as Record<string, string>), HOME: makeHome() };
  const args = [mcpUrl, '--allow-http', '--header', `Authorization: Bearer ${key}`];
  const client = new Client({ name: 'app', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: programOf('mcp-remote'), args, env, stderr: 'pipe' }));
  const call = client.callTool(invoke(ORDER.action, ORDER.payload));
  await approver.decideNext('approve');
  expect(await call).toMatchObject({ content: [{ text: 'tea is ordered' }] });
  expect(ran).toEqual(['tea']);
});

test('the Inspector holds the call, and shows the handle when the person is too late', async () => {
  shortWaits();
  const { mcpUrl, key, ran } = await startShop();
  const call = ['--method', 'tools/call', '--tool-name', 'invoke_service', '--tool-args-json', JSON.stringify(ORDER)];
  const args = ['--cli', mcpUrl, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, '--format', 'json', ...call];
  const { stdout, stderr } = await startProcess(programOf('mcp-inspector'), args, { env: { HOME: makeHome() } }).ended;
  expect(stdout + stderr).toMatch(/APPROVAL_REQUIRED.*apr_/s);
  expect(ran).toEqual([]);
});

test('the Python client makes the call again in rounds, each with a fresh timeout, and gets the result', async () => {
  shortWaits();
  const { mcpUrl, key, ran, approver } = await startShop();
  const client = startProcess(locateProgram('python'), [PYTHON_CLIENT, mcpUrl, key], {});
  const { id } = await approver.question();
  await new Promise((resolve) => setTimeout(resolve, 2_600));
  await approver.decide(id, 'approve');
  const { stdout, stderr } = await client.ended;
  expect(stdout || stderr).toBe('["tea is ordered"]\n');
  expect(ran).toEqual(['tea']);
});
