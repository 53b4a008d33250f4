/** The form of a source, and the entry of `toolkits.yaml` that it makes. */
import type { ConnectionSource } from '#sdk/protocol/connections';
import { hasVariable } from '#sdk/protocol/environment-variables';
import { isToolkitId } from '#sdk/protocol/ids';
import { splitWords } from './split-words';

export type SourceKind = 'mcp-command' | 'mcp-url' | 'openapi-url' | 'openapi-file';

export interface SourceValues {
  kind: SourceKind;
  id: string;
  command: string;
  /** A line each: `NAME=${NAME}`. */
  env: string;
  url: string;
  file: File | null;
  /** A line each: `Name: value`. */
  headers: string;
  baseUrl: string;
  /** The owner of the account of each call. `operator`: the settings have the credentials. */
  account: 'operator' | ConnectionSource;
  auth: 'none' | 'bearer' | 'basic' | 'apiKey';
  credential: string;
  include: string[];
  exclude: string[];
}

export const EMPTY_SOURCE: SourceValues = {
  kind: 'mcp-command',
  id: '',
  command: '',
  env: '',
  url: '',
  file: null,
  headers: '',
  baseUrl: '',
  account: 'operator',
  auth: 'none',
  credential: '',
  include: [],
  exclude: [],
};

/** Returns an error message for each wrong field. */
export function checkSource(values: SourceValues) {
  const { kind, id, command, env, url, file, headers, credential } = values;
  return {
    id: isToolkitId(id) ? null : 'Use small letters, digits and single hyphens, such as github-issues',
    command: kind === 'mcp-command' && command.trim() === '' ? 'Enter the command that starts the server' : null,
    env: kind === 'mcp-command' ? wrongLine(env, /^[A-Za-z_]\w*=/, 'NAME=value') : null,
    url: kind.endsWith('url') && !/^https?:\/\//.test(url.trim()) ? 'Enter a URL that begins with https:// or http://' : null,
    file: kind === 'openapi-file' && !file ? 'Choose a file' : null,
    headers: kind === 'mcp-command' ? null : wrongLine(headers, /^[^:\s]+:/, 'Name: value'),
    credential:
      hasCredential(values) && !hasVariable(credential)
        ? `Write \${NAME}, and set NAME in the environment of svc-service serve. Enter no secret here`
        : null,
  };
}

export function entryOf(values: SourceValues): Record<string, unknown> {
  const { include, exclude } = values;
  return { ...sourceOf(values), ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
}

/** True for an API whose calls have a credential of the operator. */
export function hasCredential({ kind, account, auth }: SourceValues): boolean {
  return kind.startsWith('openapi') && account === 'operator' && auth !== 'none';
}

function sourceOf(values: SourceValues): Record<string, unknown> {
  const { kind, command, env, url, file, headers, baseUrl, account, auth, credential } = values;
  const sent = members(headers, ':');
  if (kind === 'mcp-command') {
    const [program = '', ...args] = splitWords(command);
    return { mcp: { command: program, ...(args.length > 0 && { args }), ...members(env, '=', 'env') } };
  }
  const connection = account !== 'operator' && { auth: account };
  if (kind === 'mcp-url') return { mcp: { url: url.trim(), ...connection, ...sent } };
  return {
    openapi: {
      file: kind === 'openapi-url' ? url.trim() : `./${file?.name ?? ''}`,
      ...(baseUrl.trim() && { baseUrl: baseUrl.trim() }),
      ...connection,
      ...(hasCredential(values) && { auth: { [auth]: credential.trim() } }),
      ...sent,
    },
  };
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function members(text: string, separator: string, name = 'headers'): Record<string, Record<string, string>> {
  const entries = linesOf(text).map((line) => {
    const end = line.indexOf(separator);
    return [line.slice(0, end).trim(), line.slice(end + 1).trim()];
  });
  return entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
}

function wrongLine(text: string, pattern: RegExp, wanted: string): string | null {
  const wrong = linesOf(text).find((line) => !pattern.test(line));
  return wrong === undefined ? null : `Write ${wanted} on each line, not “${wrong}”`;
}
