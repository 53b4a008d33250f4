/**
 * Converts the MCP servers in the settings of Claude Desktop, Cursor and VS Code to entries of `toolkits.yaml`.
 *
 * Shape:  `{ mcpServers: { name: { command, args, env } | { url, headers } } }`; VS Code names it `servers`, with comments in the JSON. A secret
 *         becomes `${NAME}`, because `toolkits.yaml` contains no secret.
 * Errors: INVALID_REQUEST for a text without servers.
 */
import { SvcError } from 'svc-sdk';
import * as z from 'zod';
import { withoutBom } from '#sdk/protocol/decode-text';
import { isServiceVariable, variableNames } from '#sdk/protocol/environment-variables';
import { toToolkitId } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import { replaceLiteralSecrets } from '#sdk/protocol/literal-secrets';
import type { SkippedPart } from '../imported-action';
import type { McpConfig } from './config';

export interface ReadMcpServers {
  /** Toolkit id -> its entry. */
  toolkits: Record<string, { mcp: McpConfig }>;
  /** Variables that the entries name, each once. */
  variables: string[];
  skipped: SkippedPart[];
}

const textByName = z.record(z.string(), z.string());
const server = z.object({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.coerce.string()).optional(),
  cwd: z.string().optional(),
  envFile: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: textByName.optional(),
  type: z.string().optional(),
  disabled: z.boolean().optional(),
});

export function readMcpServers(json: string): ReadMcpServers {
  const read: ReadMcpServers = { toolkits: {}, variables: [], skipped: [] };
  for (const [name, value] of Object.entries(serversOf(parseJsonWithComments(json)))) {
    const problem = addServer(read, name, value);
    if (problem) read.skipped.push({ what: name, why: problem });
  }
  read.variables = variableNames(JSON.stringify(read.toolkits));
  return read;
}

/** The reason why a server is left out, as a sentence. */
function addServer({ toolkits }: ReadMcpServers, name: string, value: unknown): string | undefined {
  const { success, data, error } = server.safeParse(value);
  if (!success) return z.prettifyError(error);
  const { command, url = data.serverUrl, type, disabled, envFile } = data;
  if (disabled) return 'It is disabled';
  if (type === 'sse') return 'Its transport is SSE, which MCP replaced by streamable HTTP: ask for its other address';
  if (envFile !== undefined) return `Its variables are in ${envFile}: name them in env`;
  const id = toToolkitId(name);
  if (Object.hasOwn(toolkits, id)) return `"${id}" is another server already: rename one of them`;
  const mcp = url === undefined ? (command === undefined ? undefined : processConfig(command, data)) : httpConfig(url, data);
  if (!mcp) return 'It has neither command nor url';
  const entry = replaceLiteralSecrets(
    { mcp },
    ({ place, name: secret }) => `\${${place === `mcp.env.${secret}` ? secret : variableName(id, secret)}}`,
  );
  if (variableNames(JSON.stringify(entry)).some(isServiceVariable)) return 'It wants an SVC_… variable, which no imported toolkit gets';
  toolkits[id] = entry;
  return undefined;
}

function processConfig(command: string, { args, env, cwd }: z.infer<typeof server>): McpConfig {
  return {
    command: toVariables(command),
    ...(args && { args: args.map(toVariables) }),
    ...(env && { env: withVariableNames(env) }),
    ...(cwd !== undefined && { cwd: toVariables(cwd) }),
  };
}

function httpConfig(url: string, { headers }: z.infer<typeof server>): McpConfig {
  return { url: toVariables(url), ...(headers && { headers: withVariableNames(headers) }) };
}

/** VS Code and Cursor write `${env:NAME}` and `${input:api-key}`. */
function toVariables(text: string): string {
  return text
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => `\${${name}}`)
    .replace(/\$\{input:([^}]+)\}/g, (_, input: string) => `\${${input.toUpperCase().replace(/\W+/g, '_')}}`);
}

function variableName(id: string, name: string): string {
  return `${id}_${name}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

function withVariableNames(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, toVariables(text)]));
}

function serversOf(settings: unknown): Record<string, unknown> {
  const { mcpServers, servers, mcp } = isObject(settings) ? settings : {};
  const found = mcpServers ?? servers ?? (isObject(mcp) ? mcp.servers : undefined);
  if (isObject(found)) return found;
  throw new SvcError('INVALID_REQUEST', 'The settings have no MCP servers: they need a member "mcpServers" or "servers"');
}

/** Removes comments, and commas before a bracket, outside of texts. */
function parseJsonWithComments(json: string): unknown {
  const plain = withoutBom(json)
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, text: string | undefined) => text ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, text: string | undefined) => text ?? '');
  try {
    return JSON.parse(plain);
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', `It is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
