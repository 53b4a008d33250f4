/**
 * The address of a toolkit's requests: the operator's, or the first https server of the document. Payloads never change it, and an address in
 * the operator's network is never used if only the document names it.
 *
 * Errors: INVALID_REQUEST; the message suggests `baseUrl`.
 */
import { isIP } from 'node:net';
import { SvcError } from 'svc-sdk';
import { isObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';

/** The base of all operations. Its path does not end with a slash. */
export function findBaseUrl(document: OpenapiDocument, given: string | undefined): URL {
  if (given !== undefined) return readGiven(given);
  const servers = serversOf(document);
  const url = namedServer(document);
  if (url && isPublicUrl(url)) return url;
  const named = servers.flatMap((server) =>
    isObject(server) && typeof server.url === 'string' ? [JSON.stringify(server.url.slice(0, 100))] : [],
  );
  const found = named.length === 0 ? 'names no server' : `names no https server in the open network, but ${named.slice(0, 3).join(', ')}`;
  throw new SvcError('INVALID_REQUEST', `The document ${found}; give baseUrl, such as "https://api.example.com/v1"`);
}

/** The first https server of the document that may be public, else the first absolute address. */
export function namedServer(document: OpenapiDocument): URL | undefined {
  const servers = serversOf(document).flatMap((server) => serverUrl(server) ?? []);
  return servers.find(isPublicUrl) ?? servers[0];
}

/** Removes slashes at the end. */
export function addressText({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/$/, '');
}

/**
 * The base of one operation: its own servers are used on the same origin as the document's, since a credential is for one API only. A text is
 * the reason why the operation cannot be called.
 */
export function operationBaseUrl({ servers }: Operation, document: OpenapiDocument, base: URL): URL | string {
  if (!servers) return base;
  const own = servers.map(serverUrl).find((server) => server !== undefined);
  // A relative server is on the base's origin in any case.
  if (!own) return base;
  const main = serversOf(document).map(serverUrl);
  if (own.origin === base.origin) return own;
  const isMain = main.some((server) => server?.host === own.host);
  if (!isMain)
    return `its server is ${own.origin}, and the toolkit's is ${base.origin}; import it as a toolkit of its own, with that baseUrl`;
  const isSame = main.some((server) => server?.host === own.host && server.pathname === own.pathname);
  return isSame ? base : new URL(own.pathname, base.origin);
}

function serversOf({ root }: OpenapiDocument): unknown[] {
  return Array.isArray(root.servers) ? root.servers : [];
}

/** Undefined for a relative address, and for one with a variable that has no default. */
export function serverUrl(server: unknown): URL | undefined {
  if (!isObject(server) || typeof server.url !== 'string') return undefined;
  const variables = isObject(server.variables) ? server.variables : {};
  const text = server.url.replace(/\{([^{}]+)\}/g, (variableText, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && variable.default !== undefined && variable.default !== '' ? String(variable.default) : variableText;
  });
  const whole = text.startsWith('//') ? `https:${text}` : text;
  if (/[{}]/.test(text) || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  return url.protocol === 'https:' || url.protocol === 'http:' ? trimmed(url) : undefined;
}

/** False for an address that may be in the operator's network. Its name must resolve to a public address, too. */
export function isPublicUrl({ protocol, hostname, username, password }: URL): boolean {
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  // An IP address in a document may be the metadata service of a cloud.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')) return false;
  return !/(?:^|\.)(?:localhost|localdomain|local|svc|internal|intranet|lan|home|corp|private|arpa)\.?$/.test(hostname);
}

function readGiven(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new SvcError('INVALID_REQUEST', 'baseUrl is the address of the API, such as "https://api.example.com/v1"');
  if (url.username !== '' || url.password !== '')
    throw new SvcError('INVALID_REQUEST', 'baseUrl holds no user name or password; give auth: { basic }');
  return trimmed(url);
}

function trimmed(url: URL): URL {
  const base = new URL(url);
  base.pathname = base.pathname.replace(/\/+$/, '');
  base.search = '';
  base.hash = '';
  return base;
}
