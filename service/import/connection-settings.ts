/**
 * `auth` of an entry, for calls with connections: the owner of the account, such as `user`, or `{ from: user, type: bearer, help: … }`.
 *
 * Shape:  what the settings leave open comes from the source: the security scheme of a document, the URL of an MCP server.
 * Errors: INVALID_REQUEST for settings that do not fit together.
 */
import { SvcError } from 'svc-sdk';
import { toolkitAuth } from '#sdk/protocol/connection-schemas';
import type { ConnectionSource, ToolkitAuth } from '#sdk/protocol/connections';

export interface ConnectionSettings extends Partial<Omit<ToolkitAuth, 'from'>> {
  from: ConnectionSource;
  /** The security scheme of the document for it. Default: the one that most operations accept. */
  scheme?: string;
}

export type ConnectionChoice = ConnectionSource | ConnectionSettings;

/** Undefined for credentials of the operator. */
export function connectionSettings(auth: ConnectionChoice | object | undefined): ConnectionSettings | undefined {
  if (typeof auth === 'string') return { from: auth };
  return auth && 'from' in auth ? (auth as ConnectionSettings) : undefined;
}

/** The settings, completed by what the source says. */
export function checkedAuth(settings: ConnectionSettings, found: Omit<ToolkitAuth, 'from'>): ToolkitAuth {
  const { scheme: _, ...chosen } = settings;
  const { success, data, error } = toolkitAuth.safeParse({ ...found, ...chosen });
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => `${['auth', ...path].join('.')}: ${message}`);
  throw new SvcError('INVALID_REQUEST', problems.join('; '));
}

/** A header of the operator would replace the connection, or be replaced by it. */
export function checkHeaders(headers: Readonly<Record<string, string>> | undefined, place: { in: string; name: string }): void {
  const name = place.in === 'header' && Object.keys(headers ?? {}).find((each) => each.toLowerCase() === place.name.toLowerCase());
  if (name)
    throw new SvcError('INVALID_REQUEST', `headers has ${name}, which the connection of each call sets: remove it, or remove "auth"`);
}
