import type { Context } from 'hono';

/**
 * Returns the service's origin in the caller's URL. A proxy that terminates TLS sends `X-Forwarded-Proto`; without it, a caller of the public URL's
 * host is taken for one of the public URL.
 */
export function originOf({ req }: Pick<Context, 'req'>, publicUrl?: string): string {
  const url = new URL(req.url);
  if (publicUrl !== undefined && new URL(publicUrl).host === url.host) return publicUrl;
  const isTls = req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return `${isTls ? 'https:' : url.protocol}//${url.host}`;
}
