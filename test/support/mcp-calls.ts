/** What every MCP client has to be able to do with the tools of the stage. */
import { expect } from 'vitest';

export const ROME = { city: 'Rome', celsius: 21 };

export const invoke = (action: string, payload: object = {}) => ({ name: 'invoke_service', arguments: { action, payload } });

export async function expectToolsToWork(client: {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(request: { name: string; arguments: Record<string, unknown> }): Promise<object>;
}): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_services', 'invoke_service']);
  const found = await client.callTool({ name: 'search_services', arguments: { query: 'weather today' } });
  expect(found).toMatchObject({ structuredContent: { actions: [{ action: 'weather__today' }] } });
  expect(await client.callTool(invoke('weather__today', { city: 'Rome' }))).toMatchObject({ structuredContent: ROME });
  const failed = await client.callTool(invoke('weather__today', { city: 'Atlantis' }));
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACTION_FAILED' } } });
}
