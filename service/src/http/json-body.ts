/** Reads the JSON body of a hono request, from Node's stream if available. Rejects with INVALID_REQUEST and the reason. */
import type { Context } from 'hono';
import type { RequestBodies } from './read-body';
import type { RequestEnv } from './request-env';

export async function jsonBody(
  { env, req }: Pick<Context<RequestEnv>, 'env' | 'req'>,
  bodies: RequestBodies,
  maxBytes: number | undefined,
): Promise<unknown> {
  if ('incoming' in env) return bodies.readJson(env.incoming, maxBytes);
  return 'body' in env ? env.body : req.json();
}
