import { OAuthError } from './oauth-error';

/** The parameters by name. RFC 6749 section 3.1: none may be there twice, except `resource` (RFC 8707 section 2). */
export function uniqueParameters(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (name === 'resource' || value === '') continue;
    if (found.has(name)) throw new OAuthError('invalid_request', `The parameter ${JSON.stringify(name.slice(0, 100))} is there twice`);
    found.set(name, value);
  }
  return found;
}
