/**
 * Loads the WebSocket of the package `ws`, which can send the key as a header, unlike the platform's.
 *
 * Errors: INVALID_REQUEST where the package is missing, or where the runtime has no sockets and connecting would time out.
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
  // Bundlers for browsers and workers replace the package by a stub.
  if (typeof WebSocket !== 'function') throw unsupportedError('this bundle, which was made for a browser or a worker');
  return WebSocket;
}

/** The name of a runtime that can load `ws` but cannot open a socket. */
function runtimeWithoutSockets(): string | undefined {
  if ('EdgeRuntime' in globalThis) return 'an edge runtime';
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? 'Cloudflare Workers' : undefined;
}

function unsupportedError(where: string): SvcError {
  const message = `A Toolkit cannot run in ${where}: run it as a process on Node 22.13 or newer, Bun or Deno. Tools works here`;
  return new SvcError('INVALID_REQUEST', message, { retryable: false });
}
