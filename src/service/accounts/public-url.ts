/** Where people reach the console: behind a proxy that is another address than the service listens on. */
import { isIP } from 'node:net';
import { SvcError } from '../../protocol/errors';

/** The origin. Throws SvcError INVALID_REQUEST for what is none. */
export function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isOrigin) throw new SvcError('INVALID_REQUEST', 'The public URL is scheme, host and port, such as https://tools.example.com, without a path');
  return url.origin;
}

/** Whether browsers let pages at this address use passkeys: they are bound to a name, and need https, but for localhost. */
export function mayUsePasskeys(publicUrl: string | undefined): boolean {
  // Without a public URL it is for the browser to tell: at http://localhost it may.
  if (publicUrl === undefined) return true;
  const { protocol, hostname } = new URL(publicUrl);
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('[');
}
