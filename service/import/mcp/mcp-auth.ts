/**
 * The connection that the toolkit of an MCP server asks for.
 *
 * Shape:  by default a sign-in that the service discovers at the server: RFC 9728.
 * Errors: INVALID_REQUEST for settings that do not fit together.
 */
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { isSecretName } from '#sdk/protocol/secret-names';
import { checkedAuth, checkHeaders, connectionSettings } from '../connection-settings';
import { type CredentialPlace, placeOfAuth } from '../credential';
import { isHttp, type McpConfig } from './config';

export interface McpAuth {
  auth: ToolkitAuth;
  place: CredentialPlace;
}

/** Undefined for a server without connections. */
export function mcpAuth(config: McpConfig): McpAuth | undefined {
  const settings = isHttp(config) ? connectionSettings(config.auth) : undefined;
  if (!settings || !isHttp(config)) return undefined;
  const { type = 'oauth2', authorizationUrl, server } = settings;
  const isDiscovered = type === 'oauth2' && authorizationUrl === undefined && server === undefined;
  const auth = checkedAuth(settings, { type, ...(isDiscovered && { server: publicUrl(config.url) }) });
  const place = placeOfAuth(auth);
  checkHeaders(config.headers, place);
  return { auth, place };
}

/** The service stores it, and shows it to people. */
function publicUrl(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.delete(name);
  url.username = '';
  url.password = '';
  return url.href;
}
