/** The clients that can reach the service at its address. */

export type Reach =
  /** Every client. */
  | 'everywhere'
  /** Clients on this computer. */
  | 'this computer'
  /** Clients in the same network, if the service knows its own address. */
  | 'this network';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|\.(local|internal|lan|home\.arpa)$/;

/** Hosted clients come over the internet, to https on port 443. */
export function reachOf(url: string): Reach {
  const { protocol, hostname, port } = new URL(url);
  if (LOOPBACK.test(hostname)) return 'this computer';
  const isPublic = protocol === 'https:' && port === '' && hostname.includes('.') && !PRIVATE.test(hostname);
  return isPublic ? 'everywhere' : 'this network';
}
