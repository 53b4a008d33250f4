/** "Get started" for people who already have keys in use. */
import { SvcError } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import type { OwnedKeysPage } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { callApi, openConsole } from '../../../test/support/console';
import { runToolkit } from '../../../test/support/service';

test('a key in use is never offered: the snippet of another toolkit would change the one behind it', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  // Polled until a process registers it.
  owner.mayBeRefused(404, /^\/v1\/reports\/toolkits\/(weather|maths)$/);
  const createKey = (kind: string, name: string) => callApi<CreatedKey>(page, PATHS.keys, { kind, name });
  const { key } = await createKey('toolkit', 'weather');
  const toolkit = await runToolkit(service.url, key, (weather) =>
    weather.action({ action: 'now', actionDescription: 'The weather now', payloadDescription: {} }, () => 'sunny'),
  );
  // The toolkit is offline, so only its record shows that the key was used.
  await toolkit.stop();
  const agent = await createKey('agent', 'my-agent');
  await fetch(`${service.url}${PATHS.invoke}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'weather__none', payload: {} }),
  });
  // Calls are written a moment after they end.
  await vi.waitFor(async () => {
    const { keys } = await callApi<OwnedKeysPage>(page, PATHS.keys);
    expect(keys.find(({ id }) => id === agent.id)?.lastUsedAt).toBeDefined();
  }, 10_000);

  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Get started' }).click();
  const connect = page.getByRole('region', { name: 'Connect a toolkit', exact: true });
  const call = page.getByRole('region', { name: 'Call it from an agent', exact: true });
  await connect.getByRole('link', { name: '1 toolkit key' }).waitFor();
  await call.getByRole('link', { name: '1 agent key' }).waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
  expect(await connect.getByLabel('Key name').inputValue()).toBe('weather-2');

  await connect.getByLabel('Key name').fill('maths');
  await connect.getByRole('button', { name: 'Create toolkit key' }).click();
  await connect.getByRole('tab', { name: 'Your own program' }).click();
  expect(await connect.getByRole('region', { name: 'Your own program', exact: true }).textContent()).toContain(
    "updateToolkit({ name: 'Maths'",
  );

  // A failed call is not a success.
  await call.getByRole('button', { name: 'Create agent key' }).click();
  const secret = await call.getByRole('textbox', { name: /^Key my-agent-2/ }).inputValue();
  const tools = await service.tools({ apiKey: secret });
  await toolkitThatFails(service.url, (await createKey('toolkit', 'lab')).key);
  await expect(tools.invoke('lab__fail', {})).rejects.toSatisfy(SvcError.is);
  await call.getByRole('status').getByText('ACTION_FAILED').waitFor();
  expect(await call.locator('.tabler-icon-check').count()).toBe(0);
});

function toolkitThatFails(url: string, key: string) {
  return runToolkit(url, key, (lab) =>
    lab.action({ action: 'fail', actionDescription: 'Fails', payloadDescription: {} }, () => {
      throw new Error('broken');
    }),
  );
}

test('snippets are in the language that was chosen last', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  // Polled until a process registers it.
  owner.mayBeRefused(404, /^\/v1\/reports\/toolkits\/weather$/);
  const step = (name: string) => page.getByRole('region', { name, exact: true });
  const connect = step('Connect a toolkit');
  const call = step('Call it from an agent');
  await page.goto('/start');
  const program = () => connect.getByRole('region', { name: 'Your own program', exact: true }).textContent();
  await connect.getByRole('button', { name: 'Create toolkit key' }).click();
  await call.getByRole('button', { name: 'Create agent key' }).click();
  await connect.getByRole('tab', { name: 'Your own program' }).click();
  await call.getByRole('tab', { name: 'AI SDK' }).click();
  expect(await program()).toContain("import { Toolkit } from 'svc-sdk';");

  await connect.getByRole('radiogroup', { name: 'Language' }).getByText('Python').click();
  await expect.poll(program).toContain('from svc import ActionContext, Toolkit');
  // The choice is one for the page, and Python has no AI SDK.
  expect(await call.getByRole('tab').allTextContents()).toEqual([
    'curl',
    'OpenAI',
    'OpenAI Agents',
    'Anthropic',
    'Google Gen AI',
    'LangChain',
    'LlamaIndex',
    'Pydantic AI',
    'CrewAI',
    'smolagents',
    'AutoGen',
    'Strands Agents',
    'Google ADK',
    'Agno',
    'Haystack',
    'Agent in a chat',
    'MCP over stdio',
    'Claude Code',
    'MCP over HTTP',
  ]);
  expect(await call.getByRole('tab', { selected: true }).textContent()).toBe('curl');
  await call.getByRole('tab', { name: 'MCP over stdio' }).click();
  expect(await call.getByRole('region', { name: 'MCP over stdio', exact: true }).textContent()).toContain('"uvx"');

  await page.reload();
  await expect.poll(() => connect.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
  await connect.getByRole('tab', { name: 'Your own program' }).click();
  expect(await program()).toContain('name="Weather"');

  await call.getByRole('radiogroup', { name: 'Language' }).getByText('Rust').click();
  await expect.poll(program).toContain('use svc_sdk::{SvcError, toolkit::*};');
  await call.getByRole('tab', { name: 'MCP over stdio' }).click();
  expect(await call.getByRole('region', { name: 'MCP over stdio', exact: true }).textContent()).toContain('"npx"');
  await page.reload();
  await expect.poll(() => call.getByRole('radio', { name: 'Rust' }).isChecked()).toBe(true);
});
