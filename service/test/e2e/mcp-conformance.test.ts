/** docs/mcp-conformance.md equals the result of the conformance suite, for the service's `/mcp` and for the same code with the suite's tools. */
import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { SvcError, type ToolAnswer, type ToolDefinition } from 'svc-sdk';
import type { ToolsLike } from 'svc-sdk/agent-tool';
import { svcMcpServer } from 'svc-sdk/mcp';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { startStage } from '../../../test/contract/stage';
import { makeFolder } from '../../../test/support/folder';
import { startHeaderProxy } from '../../../test/support/header-proxy';
import { tableRows } from '../../../test/support/markdown';
import { startProcess } from '../../../test/support/processes';
import { RequestBodies } from '../../src/http/read-body';
import { silentLogger } from '../../src/lib/logger';
import { answerMessage, Sessions } from '../../src/mcp';

type Verdict = 'passes' | 'passes with its tool' | 'does not apply';

test('the table has every server scenario of the suite', async () => {
  const { stdout } = await conformance('list');
  const servers = stdout.split('Client scenarios')[0] ?? '';
  const names = [...servers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  expect(names).toContain('tools-list');
  expect([...table().keys()].sort()).toEqual(names.sort());
});

test('the service passes exactly the scenarios of the table', async () => {
  const { connection } = await startStage();
  const url = await startHeaderProxy(connection.baseUrl, { authorization: `Bearer ${connection.apiKey}` });
  expect(await passed(`${url}/mcp`)).toEqual(withVerdict('passes'));
});

test('with the tools that the suite calls by name, it passes exactly the scenarios of the table too', async () => {
  // Host and Origin are checked in front of what runs here.
  const expected = [...withVerdict('passes'), ...withVerdict('passes with its tool')].filter((name) => name !== 'dns-rebinding-protection');
  expect(await passed(`${await startWithSuiteTools()}/mcp`)).toEqual(expected.sort());
});

function table(): Map<string, Verdict> {
  return new Map(tableRows('docs/mcp-conformance.md').map(([name = '', verdict]) => [name.replaceAll('`', ''), verdict as Verdict]));
}

function withVerdict(verdict: Verdict): string[] {
  return [...table()].flatMap(([name, each]) => (each === verdict ? [name] : [])).sort();
}

function conformance(...args: string[]): Promise<{ stdout: string }> {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const program = new URL('../../../node_modules/.bin/conformance', import.meta.url).pathname;
  return startProcess(program, args, { cwd: folder.path, env: { HOME: folder.path } }).ended;
}

/** Scenarios with at least one check and none that failed. */
async function passed(url: string): Promise<string[]> {
  const { stdout } = await conformance('server', '--url', url, '--suite', 'all');
  const summary = stdout.split('=== SUMMARY ===')[1] ?? '';
  const lines = [...summary.matchAll(/^\S (\S+): (\d+) passed, (\d+) failed/gm)];
  expect(lines).toHaveLength(table().size);
  return lines.flatMap(([, name, good, bad]) => (Number(good) > 0 && bad === '0' ? [String(name)] : [])).sort();
}

async function startWithSuiteTools(): Promise<string> {
  const factory = svcMcpServer({ tools: suiteTools(), staticActions: ['suite__page'] });
  const sessions = new Sessions();
  const bodies = new RequestBodies(DEFAULT_LIMITS);
  const listener = getRequestListener(async (request, env) =>
    answerMessage(factory, {
      request,
      body: request.method === 'POST' ? await bodies.readJson((env as HttpBindings).incoming) : undefined,
      keyId: 'key_test',
      sessions,
      logger: silentLogger,
    }),
  );
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const resource = { type: 'resource', resource: { uri: 'test://file', mimeType: 'text/plain', text: 'A text file' } } as const;
const PAGES: Record<string, object> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: image.data },
};
const pageOf = (resourceUri: string) => ({ ui: { resourceUri } });
const BLOCKS: Record<string, NonNullable<ToolAnswer['blocks']>> = {
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }],
  test_embedded_resource: [resource],
  test_multiple_content_types: [{ type: 'text', text: 'A text' }, image, resource],
};

function suiteTools(): ToolsLike {
  const parameters = { type: 'object', properties: {} };
  const names = ['test_simple_text', 'test_error_handling', 'test_tool_with_progress', ...Object.keys(BLOCKS)];
  const definitions: ToolDefinition[] = names.map((name) => ({
    name,
    description: `The suite's ${name}`,
    parameters,
  }));
  definitions.push({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  });
  const answers: Record<string, (onProgress?: (progress: { progress: number; total: number }) => void) => ToolAnswer> = {
    test_simple_text: () => ({ value: 'simple', content: 'This is a simple text response for testing.' }),
    test_error_handling() {
      const error = new SvcError('ACTION_FAILED', 'This tool intentionally returns an error for testing');
      return { value: { error }, content: JSON.stringify({ error }), error };
    },
    test_tool_with_progress(onProgress) {
      for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 });
      return { value: 'done', content: 'done' };
    },
  };
  return {
    definitions: () => definitions,
    loadDefinitions: async () =>
      Object.keys(PAGES).map((uri, index) => ({ name: `suite__page_${index}`, description: 'Has a page', parameters, meta: pageOf(uri) })),
    async invoke<Result>(_action: string, payload: unknown) {
      const { uri } = Object(payload);
      const page = PAGES[uri];
      if (!page) throw new SvcError('NOT_FOUND', 'The service reads the pages that actions name');
      return { invocationId: 'inv_1', result: { contents: [{ uri, ...page }] } as Result };
    },
    resolve: () => Promise.reject(new SvcError('INVALID_REQUEST', 'Nothing to resolve')),
    search: async () => ({ actions: [] }),
    answerTool: async (name, _input, options) =>
      answers[name]?.(options?.onProgress) ?? { value: null, content: 'null', ...(BLOCKS[name] && { blocks: BLOCKS[name] }) },
  };
}
