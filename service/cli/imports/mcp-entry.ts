/** Converts the arguments of `svc-service add mcp` to entries of `toolkits.yaml`. */
import { readFileSync } from 'node:fs';
import { SvcError } from 'svc-sdk';
import { type McpConfig, type ReadMcpServers, readMcpServers, type ToolkitEntry } from 'svc-service/import';
import { UsageError } from '#sdk/cli/usage-error';
import { textOfFile } from '#sdk/protocol/decode-text';
import { variableNames } from '#sdk/protocol/environment-variables';
import { type ConnectionFlags, checkToolkitId, connectionOf, namedTexts, type PresentationFlags, presentationOf } from './entry-flags';
import { withoutLiteralSecrets } from './without-literal-secrets';

export interface McpFlags extends PresentationFlags, ConnectionFlags {
  url?: string;
  header?: string[];
  env?: string[];
  cwd?: string;
  listToken?: string;
  /** Seconds. */
  timeout?: number;
}

const OF_ONE_SERVER = ['url', 'header', 'cwd', 'connection', 'connectionType', 'listToken', 'include', 'exclude', 'describe'] as const;

export function mcpEntry(id: string, command: readonly string[], flags: McpFlags): ToolkitEntry {
  checkToolkitId(id);
  const { url } = flags;
  if (url !== undefined && command.length > 0) throw new UsageError('The server is a command behind -- or a --url: give one of them');
  const auth = connectionOf(flags);
  if (auth === undefined && flags.listToken !== undefined) throw new UsageError('--list-token needs --connection');
  const config = url === undefined ? processConfig(command, flags) : httpConfig(url, flags);
  if (auth && url === undefined) throw new UsageError('--connection is for a server with --url');
  return { mcp: { ...withoutLiteralSecrets(id, config), ...(auth && { auth }) }, ...presentationOf(flags) };
}

/** Entries from another program's file of MCP servers. */
export function mcpEntriesOfFile(path: string, names: readonly string[], flags: McpFlags): ReadMcpServers {
  const other = OF_ONE_SERVER.find((name) => flags[name] !== undefined);
  if (other)
    throw new UsageError(`--from adds servers as the file has them: change toolkits.yaml afterwards instead of ${optionOf(other)}`);
  const read = readMcpServers(readText(path));
  const unknown = names.find((name) => !Object.hasOwn(read.toolkits, name) && !read.skipped.some(({ what }) => what === name));
  if (unknown !== undefined) {
    throw new UsageError(`${path} has no server "${unknown}"; it has ${Object.keys(read.toolkits).join(', ') || 'none that can be added'}`);
  }
  const isChosen = (name: string) => names.length === 0 || names.includes(name);
  const chosen = Object.entries(read.toolkits).filter(([id]) => isChosen(id));
  const toolkits = Object.fromEntries(chosen.map(([id, { mcp }]) => [id, { mcp: withEnv(id, mcp, flags) }]));
  return {
    toolkits,
    variables: variableNames(JSON.stringify(toolkits)),
    skipped: read.skipped.filter(({ what }) => isChosen(what)),
  };
}

/** `listToken` -> `--list-token` */
function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A server at an address has no variables. */
function withEnv(id: string, config: McpConfig, { env }: McpFlags): McpConfig {
  if (!env || 'url' in config) return config;
  return withoutLiteralSecrets(id, { ...config, env: { ...config.env, ...envOf(env) } });
}

function envOf(env: readonly string[]): Record<string, string> {
  return namedTexts(env, { option: '--env', separator: '=', form: `NAME='\${NAME}'` });
}

function processConfig([command, ...args]: readonly string[], { header, env, cwd }: McpFlags): McpConfig {
  if (command === undefined) {
    throw new UsageError('Name the server: a command behind --, such as -- npx -y @modelcontextprotocol/server-memory, or --url');
  }
  if (header) throw new UsageError('--header is for a server with --url');
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env && { env: envOf(env) }),
    ...(cwd !== undefined && { cwd }),
  };
}

function httpConfig(url: string, { header, env, cwd }: McpFlags): McpConfig {
  if (env || cwd !== undefined) throw new UsageError('--env and --cwd are for a server that is a command');
  return { url, ...(header && { headers: namedTexts(header, { option: '--header', separator: ':', form: `'Name: \${NAME}'` }) }) };
}

function readText(path: string): string {
  try {
    return textOfFile(readFileSync(path), path);
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', `Cannot read ${path}: ${(error as Error).message}`, {}, { cause: error });
  }
}
