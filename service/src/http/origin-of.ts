import type { Context } from 'hono';

/** Returns the service's origin in the caller's URL. A proxy that terminates TLS sends `X-Forwarded-Proto`. */
export function originOf({ req }: Pick<Context, 'req'>): string {
  const url = new URL(req.url);
  const isTls = req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return `${isTls ? 'https:' : url.protocol}//${url.host}`;
}
