/**
 * The socket of a Toolkit, from the package `ws`: unlike the platform's own WebSocket it sends the key as a header.
 *
 * Errors: INVALID_REQUEST at once, where the package is missing or the runtime has no such sockets; a try would only time out there.
 */
import type { WebSocket as Socket } from 'ws';
import { SvcError } from '../protocol/errors';
import { packageError } from '../protocol/package-error';

export async function loadSocket(): Promise<typeof Socket> {
  const runtime = runtimeWithoutSockets();
  if (runtime) throw unsupportedError(runtime);
  const { WebSocket } = await import('ws').catch((cause) => {
    throw packageError('A Toolkit', 'ws', cause);
  });
  // Bundlers for browsers and workers put a stub in the place of the package.
  if (typeof WebSocket !== 'function') throw unsupportedError('this bundle, which was made for a browser or a worker');
  return WebSocket;
}

/** Their own name for a runtime that can load `ws` and open nothing with it. */
function runtimeWithoutSockets(): string | undefined {
  if ('EdgeRuntime' in globalThis) return 'an edge runtime';
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? 'Cloudflare Workers' : undefined;
}

function unsupportedError(where: string): SvcError {
  const message = `A Toolkit cannot run in ${where}: run it as a process on Node 22.13 or newer, Bun or Deno. Tools works here`;
  return new SvcError('INVALID_REQUEST', message, { retryable: false });
}
