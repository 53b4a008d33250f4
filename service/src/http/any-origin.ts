/** CORS for the public routes of OAuth, which MCP clients in browsers call. Cookies are never allowed. */
import type { MiddlewareHandler } from 'hono';

export const anyOrigin: MiddlewareHandler = async ({ req, header, body }, next) => {
  header('access-control-allow-origin', '*');
  if (req.method !== 'OPTIONS') return next();
  header('access-control-allow-methods', 'GET, POST');
  // The wildcard does not cover `Authorization`: the Fetch standard, section 3.3.
  header('access-control-allow-headers', '*, authorization');
  return body(null, 204);
};
