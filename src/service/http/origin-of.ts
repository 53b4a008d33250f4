import type { Context } from 'hono';

/** Where the service is, as the caller wrote it: a proxy that ends TLS says so. */
export function originOf({ req }: Context): string {
  const url = new URL(req.url);
  const isTls = req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return `${isTls ? 'https:' : url.protocol}//${url.host}`;
}
