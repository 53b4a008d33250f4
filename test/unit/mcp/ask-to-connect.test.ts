/** Accounts that calls need, for MCP clients over stdio that can ask their user, and for those that cannot. */
import type { ClientOptions, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { svcMcpServer } from 'svc-sdk/mcp';
import { describe, expect, test } from 'vitest';
import { startConnectable } from '../../support/connectable';
import { connect } from '../../support/mcp-client';

const REVISIONS: [string, ClientOptions][] = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];
const CALL = { name: 'invoke_service', arguments: { action: 'github__whoami', payload: {} } };

/** A client whose user does as `page` and `form` say. Absent: the client cannot ask it. */
async function startClient(
  options: ClientOptions,
  { page, form }: { page?: (url: string) => ElicitResult | Promise<ElicitResult>; form?: (asked: ElicitRequestFormParams) => ElicitResult },
) {
  const { service, ran, connect: openPage } = await startConnectable();
  const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'mcp' });
  const elicitation = { ...(page && { url: {} }), ...(form && { form: {} }) };
  const client = await connect(svcMcpServer({ apiKey, baseUrl: service.url, userId: 'ada' }), {
    ...options,
    ...((page ?? form) && { capabilities: { elicitation } }),
  });
  const asked: unknown[] = [];
  if (page ?? form)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      if (params.mode === 'url') return page?.(params.url) ?? { action: 'cancel' };
      return form?.(params as ElicitRequestFormParams) ?? { action: 'cancel' };
    });
  return { client, ran, openPage, asked };
}

describe.each(REVISIONS)('revision %s', (_revision, options) => {
  test('a client that can ask its user shows the page, takes its code, and the call runs once', async () => {
    let code = '';
    const { client, openPage, asked, ran } = await startClient(options, {
      page: async (url) => {
        code = await openPage(url);
        return { action: 'accept' };
      },
      form: () => ({ action: 'accept', content: { code: code.toLowerCase() } }),
    });
    const answer = await client.callTool(CALL);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'octocat' }] });
    expect(ran).toHaveLength(1);
    expect(asked).toMatchObject([
      { mode: 'url', message: expect.stringContaining('github') },
      { mode: 'form', requestedSchema: { required: ['code'] } },
    ]);
  });

  test('a user who refuses: the model reads that, and no link', async () => {
    const { client, asked } = await startClient(options, { page: () => ({ action: 'decline' }), form: () => ({ action: 'accept' }) });
    const answer = await client.callTool(CALL);
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONNECTION_REQUIRED' } } });
    expect(JSON.stringify(answer.content)).not.toContain('http');
    expect(asked).toHaveLength(1);
  });

  test('a wrong code is an error', async () => {
    const { client, ran } = await startClient(options, {
      page: () => ({ action: 'accept' }),
      form: () => ({ action: 'accept', content: { code: 'AAAAA-AAAAA' } }),
    });
    expect(await client.callTool(CALL)).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_FOUND' } } });
    expect(ran).toEqual([]);
  });

  test.each([
    ['pages alone', { page: () => ({ action: 'accept' as const }) }],
    ['forms alone', { form: () => ({ action: 'accept' as const }) }],
    ['nothing', {}],
  ])('a client that can show %s gets the link as a text', async (_what, user) => {
    const { client } = await startClient(options, user);
    const answer = await client.callTool(CALL);
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'CONNECTION_REQUIRED', connect: { url: expect.stringContaining('/connections/connect/') } } },
    });
  });
});
