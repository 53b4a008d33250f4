/**
 * Links and commands that add this service to an MCP client.
 *
 * Formats: https://cursor.com/docs/mcp/install-links, https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide (MCP URL handler),
 * https://code.claude.com/docs/en/mcp, https://developers.openai.com/codex/mcp.
 */

/** The service as a client knows it. */
export interface McpServer {
  name: string;
  url: string;
}

/**
 * @param url of the service
 * @param toolkit whose actions are tools of their own
 */
export function mcpServerOf(url: string, toolkit?: string): McpServer {
  if (toolkit === undefined) return { name: 'svc', url: `${url}/mcp` };
  return { name: `svc-${toolkit}`, url: `${url}/mcp?staticToolkits=${encodeURIComponent(toolkit)}` };
}

export function cursorLink({ name, url }: McpServer): string {
  const config = btoa(JSON.stringify({ url }));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}

export function vsCodeLink({ name, url }: McpServer, scheme: 'vscode' | 'vscode-insiders'): string {
  return `${scheme}:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

export const claudeCommand = ({ name, url }: McpServer) => `claude mcp add --transport http ${name} ${quoted(url)}`;

export const codexCommand = ({ name, url }: McpServer) => `codex mcp add ${name} --url ${quoted(url)}`;

/** Shells read a ? as a pattern. */
const quoted = (url: string) => (url.includes('?') ? `"${url}"` : url);
