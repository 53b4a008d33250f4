/**
 * Connections: the account with which a call acts at the API behind a toolkit. docs/protocol.md section 11.
 *
 * Terms:  a toolkit asks for a connection in its registration (`ToolkitAuth`). It comes from the caller, with each call, or from the service,
 *         which keeps it for everyone, for an agent key, or for a user.
 */

/** The owner of the account. `caller`: the caller sends it with each call. The service keeps the others. */
export type ConnectionSource = 'caller' | 'user' | 'agent' | 'everyone';

/** The connection that a toolkit needs for its calls. */
export interface ToolkitAuth {
  /** `oauth2`: the handler gets an access token, as for `bearer`. */
  type: 'bearer' | 'basic' | 'apiKey' | 'oauth2';
  from: ConnectionSource;
  /** The credential that a person has to bring, such as "A GitHub token with the scope repo". At most 1,000 characters. */
  help?: string;
  /** Place of an `apiKey`. Default: `header`. */
  in?: 'header' | 'query';
  /** Name of the header or of the query parameter of an `apiKey`. Default: `X-API-Key`. */
  name?: string;
  /** The endpoints of an `oauth2` provider, or `server`. */
  authorizationUrl?: string;
  tokenUrl?: string;
  /** RFC 7009. */
  revocationUrl?: string;
  /** The provider's issuer identifier, RFC 9207. */
  issuer?: string;
  scopes?: string[];
  /** A remote MCP server: the service discovers its authorization server, RFC 9728, and registers itself there. */
  server?: string;
  /** `dcr`: registers itself by RFC 7591, even if the server reads client ID metadata documents. */
  registration?: 'dcr';
  /** The address that says whose account it is, asked once with the new connection; and where the answer has its name, a JSON Pointer. */
  account?: { url: string; field: string };
}

/** `false`: the action needs no connection. `scopes`: those that it needs of its toolkit's. */
export type ActionAuth = false | { scopes: string[] };

/** A caller's credential for one toolkit. */
export type Credential = { bearer: string } | { basic: { username: string; password: string } } | { apiKey: string };

/** `connection` of an `invoke` frame. */
export type FrameConnection = ConnectionDetails &
  (
    | { type: 'bearer'; token: string }
    | { type: 'basic'; username: string; password: string }
    | { type: 'apiKey'; apiKey: string; in: 'header' | 'query'; name: string }
  );

interface ConnectionDetails {
  /** The same for all tokens of an account that the service keeps, until it is connected again. Absent for a caller's credential. */
  id?: string;
  /** RFC 3339. */
  expiresAt?: string;
  /** The name of the account at the provider, such as `octocat`. */
  account?: string;
}

/** A member of CONNECTION_REQUIRED: how to connect. */
export interface RequiredConnection {
  toolkit: string;
  help?: string;
  /** A page on which the user connects the account. Absent: the caller sends the credential. */
  url?: string;
  /** End of `url`, RFC 3339. */
  expiresAt?: string;
  /** The page ends with a code. The user hands it to the caller, who confirms with it that the account is this user's. */
  confirm?: true;
  /** Names of the user's connections, when the caller has to choose one. */
  connections?: string[];
}

/** RFC 9110 section 5.6.2, without the comma and the space that separate credentials. */
const CREDENTIAL = /^(\S+) (Bearer|Basic|ApiKey) ([\x21-\x2b\x2d-\x7e]+)$/;
const CHOICE = /^(\S+) ([A-Za-z0-9._@-]{1,64})$/;

/** Limit of the header of credentials, and of that of choices. */
export const MAX_CONNECTIONS_CHARS = 8_192;

/** Ten digits and capital letters without 0, 1, I and O. The page shows them in two halves, such as 7KQ2M-9XWPT. */
const CONFIRMATION_CODE = /^([2-9A-HJ-NP-Z]{5})-?([2-9A-HJ-NP-Z]{5})$/;

/** The code of a connect page, as the page shows it, in a text that a user typed. Undefined for any other text. */
export function readConfirmationCode(text: string): string | undefined {
  const [, first, second] = CONFIRMATION_CODE.exec(text.trim().toUpperCase()) ?? [];
  return first && `${first}-${second}`;
}

/** The name that a connection has unless its user gives another one. */
export const DEFAULT_CONNECTION = 'default';

/** Undefined for a header that is not understood. */
export function readCredentials(header: string): Map<string, Credential> | undefined {
  if (header.length > MAX_CONNECTIONS_CHARS) return undefined;
  const credentials = new Map<string, Credential>();
  for (const entry of header.split(',')) {
    const [, toolkit = '', scheme, text = ''] = CREDENTIAL.exec(entry.trim()) ?? [];
    const credential = scheme === 'Basic' ? readBasic(text) : scheme && (scheme === 'Bearer' ? { bearer: text } : { apiKey: text });
    if (!credential || credentials.has(toolkit)) return undefined;
    credentials.set(toolkit, credential);
  }
  return credentials;
}

/** Toolkit id -> name of a connection. Undefined for a header that is not understood. */
export function readChoices(header: string): Map<string, string> | undefined {
  if (header.length > MAX_CONNECTIONS_CHARS) return undefined;
  const choices = new Map<string, string>();
  for (const entry of header.split(',')) {
    const [, toolkit = '', name = ''] = CHOICE.exec(entry.trim()) ?? [];
    if (!toolkit || choices.has(toolkit)) return undefined;
    choices.set(toolkit, name);
  }
  return choices;
}

/** RFC 7617. */
function readBasic(base64: string): Credential | undefined {
  const text = /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
    ? new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
    : '';
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { basic: { username: text.slice(0, colon), password: text.slice(colon + 1) } };
}
