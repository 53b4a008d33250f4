/** Configurations of MCP servers with scripted tools and answers. */
import { fileURLToPath } from 'node:url';
import type { ProcessConfig } from '../../import/mcp/config';

const SERVER = fileURLToPath(new URL('scripted-mcp-server.mjs', import.meta.url));

export interface McpScript {
  info?: object;
  instructions?: string;
  tools?: unknown[];
  /** The cursor of every page. */
  pages?: string;
  resources?: object[];
  templates?: object[];
  /** URI -> its contents. */
  contents?: Record<string, object[]>;
  /** Name of a tool -> its results. Default: the number of calls. */
  answers?: Record<string, object>;
  /** Name of a tool -> the notifications before its answer. */
  notes?: Record<string, object[]>;
}

export function scripted(script: McpScript): ProcessConfig {
  return { command: process.execPath, args: [SERVER, JSON.stringify(script)] };
}

export function tool(name: unknown, more: object = {}): object {
  return { name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...more };
}
