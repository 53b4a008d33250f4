/** The secret of a connection, as it is sealed. */
import type { FrameConnection, ToolkitAuth } from '#sdk/protocol/connections';
import { CallConnection } from '../lib/call-connection';
import { toTime } from '../lib/to-time';
import type { ConnectionRecord } from '../store/connection-store';

export type KeptSecret =
  | { type: 'bearer'; token: string }
  | { type: 'basic'; username: string; password: string }
  | { type: 'apiKey'; apiKey: string }
  | OAuthGrant;

/** The endpoints are those of the day of the grant: a toolkit that names others later gets nothing sent there. */
export interface OAuthGrant {
  type: 'oauth2';
  token: string;
  refreshToken?: string;
  tokenUrl: string;
  revocationUrl?: string;
  issuer?: string;
  /** RFC 8707. */
  resource?: string;
  clientId: string;
  /** The remote MCP server. */
  server?: string;
}

/** @param auth of the toolkit now: it says where an API key goes */
export function toCallConnection(row: ConnectionRecord, secret: KeptSecret, auth: ToolkitAuth): CallConnection {
  const details = {
    // Connected again, the row may have another account.
    id: `${row.id}.${row.connectedAt}`,
    ...(row.expiresAt !== null && { expiresAt: toTime(row.expiresAt) }),
    ...(row.account !== '' && { account: row.account }),
  };
  return CallConnection.of({ ...frameOf(secret, auth), ...details });
}

function frameOf(secret: KeptSecret, { in: place = 'header', name = 'X-API-Key' }: ToolkitAuth): FrameConnection {
  switch (secret.type) {
    case 'bearer':
    case 'oauth2':
      return { type: 'bearer', token: secret.token };
    case 'basic':
      return { type: 'basic', username: secret.username, password: secret.password };
    case 'apiKey':
      return { type: 'apiKey', apiKey: secret.apiKey, in: place, name };
  }
}
