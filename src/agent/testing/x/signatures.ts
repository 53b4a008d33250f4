/**
 * Checks signatures as X does: unique nonces, times of the last five minutes, HMAC-SHA1 over method, URL and parameters.
 *
 * Errors: XProblem 401.
 * Source: RFC 5849, sections 3.2 to 3.4. Independent of the client's code.
 */
import { createHmac } from 'node:crypto';
import type { FakeRequest } from '../fake-server';
import { XProblem } from './problem';

const MAX_AGE_SECONDS = 300;

interface Secrets {
  apiKey: string;
  apiSecret: string;
  accessToken: string;
  accessSecret: string;
}

export class Signatures {
  readonly #secrets: Secrets;
  readonly #nonces = new Set<string>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  check({ method, path, query, headers }: FakeRequest): void {
    const { apiKey, apiSecret, accessToken, accessSecret } = this.#secrets;
    const { oauth_signature: signature, ...signed } = readHeader(headers.authorization ?? '');
    const { oauth_consumer_key, oauth_token, oauth_nonce = '', oauth_timestamp } = signed;
    if (oauth_consumer_key !== apiKey || oauth_token !== accessToken) throw unauthorized();
    if (!(Math.abs(Date.now() / 1000 - Number(oauth_timestamp)) <= MAX_AGE_SECONDS)) throw unauthorized();
    if (oauth_nonce === '' || this.#nonces.has(oauth_nonce)) throw unauthorized();

    const pairs = [...Object.entries(signed), ...query].map(([name, value]) => `${encode(name)}=${encode(value)}`);
    const base = `${method}&${encode(`http://${headers.host}${path}`)}&${encode(pairs.sort().join('&'))}`;
    const key = `${encode(apiSecret)}&${encode(accessSecret)}`;
    if (signature !== createHmac('sha1', key).update(base).digest('base64')) throw unauthorized();
    this.#nonces.add(oauth_nonce);
  }
}

function readHeader(header: string): Record<string, string> {
  const [, pairs = ''] = /^OAuth (.+)$/.exec(header) ?? [];
  return Object.fromEntries([...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
}

/** Percent-encodes each byte that is not unreserved, RFC 3986, section 2.3. */
function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((character) => (/[\w.~-]/.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');
}

function unauthorized(): XProblem {
  return new XProblem(401, 'Unauthorized');
}
