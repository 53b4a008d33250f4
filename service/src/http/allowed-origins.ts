/** Checks the option `allowedOrigins`: origins whose pages may call this service from a browser (CORS). */
import { SvcError } from '#sdk/protocol/errors';

/** A serialised origin (RFC 6454, section 6.2). Includes custom schemes of apps, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/;

/** @throws SvcError INVALID_REQUEST */
export function readAllowedOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins) {
    const problem = problemOf(origin);
    if (problem) throw new SvcError('INVALID_REQUEST', `allowedOrigins: ${JSON.stringify(origin)} ${problem}`);
  }
  return new Set(origins);
}

function problemOf(origin: string): string | undefined {
  if (origin.includes('*')) return 'would let any page call: name each origin, such as https://app.example.com';
  if (origin === 'null') return 'is the origin of every file and sandboxed frame: serve the page at an address, and name that';
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // `URL.origin` is "null" for other schemes.
  const right = url && /^https?:$/.test(url.protocol) ? url.origin : origin.toLowerCase();
  if (url && ORIGIN.test(origin) && origin === right) return undefined;
  return url && ORIGIN.test(right)
    ? `is not the form that browsers send: write ${right}`
    : 'is not an origin: write only scheme, host and port, such as https://app.example.com';
}
