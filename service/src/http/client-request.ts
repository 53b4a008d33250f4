import type { Context } from 'hono';
import type { ClientRequest } from '../accounts/client-request';
import type { RequestEnv } from './request-env';

/** The client address is the remote address of the connection: behind a proxy, the proxy's. */
export function clientRequest({ env, req }: Pick<Context<RequestEnv>, 'env' | 'req'>): ClientRequest {
  return { request: req.raw, clientAddress: ('incoming' in env && env.incoming.socket.remoteAddress) || 'unknown' };
}
