import { isIP } from 'node:net';

/** Whether browsers let pages at this address use passkeys: those are bound to a name, and need https, but for localhost. */
export function mayUsePasskeys(publicUrl: string | undefined): boolean {
  // The browser decides without a public URL: at http://localhost it may.
  if (publicUrl === undefined) return true;
  const { protocol, hostname } = new URL(publicUrl);
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}
