/** Checks `auth` of toolkits and actions, in words for their developers. The service checks lengths too. */
import type { ToolkitAuth } from './connections';
import { isObject } from './json-object';

const TYPES = ['bearer', 'basic', 'apiKey', 'oauth2'];
const SOURCES = ['caller', 'user', 'agent', 'everyone'];
const ADDRESSES = ['authorizationUrl', 'tokenUrl', 'revocationUrl', 'issuer', 'server'];

export function toolkitAuthProblem(auth: unknown): string | undefined {
  if (!isObject(auth)) return 'it is an object such as { type: "bearer", from: "caller" }';
  const { type, from, help, scopes } = auth;
  if (!TYPES.includes(type as string)) return `type is one of ${TYPES.join(', ')}`;
  if (!SOURCES.includes(from as string)) return `from is one of ${SOURCES.join(', ')}`;
  if (help !== undefined && typeof help !== 'string') return 'help is a text';
  const wrong = ADDRESSES.find((name) => auth[name] !== undefined && !isAddress(auth[name]));
  if (wrong) return `${wrong} is an https:// or http:// address`;
  return (scopes === undefined ? undefined : scopesProblem(scopes)) ?? combinationProblem(auth as unknown as ToolkitAuth);
}

export function actionAuthProblem(auth: unknown): string | undefined {
  if (auth === false) return undefined;
  return isObject(auth) ? scopesProblem(auth.scopes) : 'auth is false, or { scopes: […] }';
}

/** Members that exclude or need each other. */
export function combinationProblem(auth: ToolkitAuth): string | undefined {
  const { type, from, server, authorizationUrl, tokenUrl, revocationUrl, scopes, in: place, name } = auth;
  const hasEndpoints = authorizationUrl !== undefined && tokenUrl !== undefined;
  if (type === 'oauth2' && from !== 'caller' && hasEndpoints === (server !== undefined))
    return 'oauth2 needs authorizationUrl and tokenUrl, or server (the URL of a remote MCP server)';
  if (type !== 'oauth2' && (server ?? authorizationUrl ?? tokenUrl ?? revocationUrl ?? scopes) !== undefined)
    return `Only oauth2 has endpoints and scopes, and this is ${type}`;
  if (type !== 'apiKey' && (place ?? name) !== undefined) return `Only apiKey has "in" and "name", and this is ${type}`;
  return undefined;
}

function scopesProblem(scopes: unknown): string | undefined {
  const isList = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return isList ? undefined : 'scopes is a list of texts without spaces, quotes and backslashes';
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
}
