import type { Context } from 'hono';

/** The service's origin as the caller addressed it; a proxy that ends TLS sends `X-Forwarded-Proto`. */
export function originOf({ req }: Context): string {
  const url = new URL(req.url);
  const isTls = req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return `${isTls ? 'https:' : url.protocol}//${url.host}`;
}
