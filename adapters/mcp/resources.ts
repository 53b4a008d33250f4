/**
 * The pages of MCP Apps: resources that static tools name in `_meta`. The service reads them.
 *
 * Source: MCP Apps 2026-01-26, https://github.com/modelcontextprotocol/ext-apps
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { SvcError } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { isJsonObject } from './is-json-object';
import type { OfferedTools } from './offered-tools';

const READ_RESOURCE = 'svc__read_resource';
const PAGE = 'text/html;profile=mcp-app';
const NOT_FOUND = ['NOT_FOUND', 'ACTION_NOT_FOUND', 'ACTION_NOT_ALLOWED'];

export function serveResources(server: Server, offered: OfferedTools): void {
  server.setRequestHandler('resources/list', async () => ({ resources: pagesOf(await offered.loadStatic().catch(refuse)) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    try {
      const { result, cut } = await offered.invoke(READ_RESOURCE, { uri }, { signal });
      if (isJsonObject(result) && Array.isArray(result.contents))
        return { contents: atService(uri, result.contents) } as ReadResourceResult;
      const reason = cut ? `it has ${cut.totalBytes} bytes, more than the service passes on` : 'its toolkit gave no contents';
      throw new ProtocolError(ProtocolErrorCode.InternalError, `The resource cannot be read: ${reason}`);
    } catch (error) {
      if (SvcError.is(error) && NOT_FOUND.includes(error.code)) throw new ResourceNotFoundError(uri);
      return refuse(error);
    }
  });
}

function pagesOf(tools: readonly AgentTool[]): Resource[] {
  const pages = new Map<string, Resource>();
  for (const { name, title, meta = {} } of tools) {
    const uri = isJsonObject(meta.ui) ? meta.ui.resourceUri : meta['ui/resourceUri'];
    if (typeof uri === 'string' && !pages.has(uri)) pages.set(uri, { uri, name, ...(title !== undefined && { title }), mimeType: PAGE });
  }
  return [...pages.values()];
}

/** The toolkit names its own address in each content. */
function atService(uri: string, contents: unknown[]): unknown[] {
  const toolkit = uri.slice(0, uri.indexOf('/', 'ui://'.length) + 1);
  return contents.map((content) =>
    isJsonObject(content) ? { ...content, uri: String(content.uri).replace(/^ui:\/\//, toolkit) } : content,
  );
}

function refuse(error: unknown): never {
  if (!SvcError.is(error)) throw error;
  throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, error.toJSON());
}
