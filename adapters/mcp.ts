/**
 * Model Context Protocol: `serveStdio(svcMcpServer())`, or `createMcpHandler(svcMcpServer())` over HTTP.
 * Translation only; search, retries and limits are the client's.
 *
 * Source: https://modelcontextprotocol.io/specification, revisions 2024-11-05 to 2026-07-28.
 */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { ToolsLike } from 'svc-sdk/agent-tool';
import { offeredTools, type SvcMcpOptions } from './mcp/offered-tools';
import { toServer } from './mcp/server';

export type { SvcMcpOptions };

/**
 * `search_services`, `invoke_service` and static toolkits and actions as MCP tools. Makes no network call: static tools are loaded when a client
 * lists its tools.
 *
 * A result is the text of its JSON, and `structuredContent` too when it is an object. With images, files and links it is the text and these. An
 * error is `{error: {code, message, …}}` with `isError`; only a tool that is not offered is a protocol error, -32602.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcMcpServer(options: ToolsLike | SvcMcpOptions = {}): McpServerFactory {
  const offered = offeredTools(options);
  return ({ requestInfo, era }) => toServer(offered, { isOfOneRequest: requestInfo !== undefined, hasTasks: era === 'modern' });
}
