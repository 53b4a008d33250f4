/** What those who run the service ask it, without a key: does it answer, is it ready, what did it count. docs/operations.md. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import type { AppDeps } from './app-deps';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export function operatorRoutes({ readiness, metrics, metricsToken }: Pick<AppDeps, 'readiness' | 'metrics' | 'metricsToken'>): Hono {
  const app = new Hono();
  app.get(PATHS.health, (context) => context.json({ status: 'ok' }));
  app.get(PATHS.ready, (context) => {
    const { reasons } = readiness;
    return reasons.length === 0 ? context.json({ status: 'ready' }) : context.json({ status: 'not ready', reasons }, 503);
  });
  app.get(PATHS.metrics, async (context) => {
    if (!metrics) {
      throw new SvcError('NOT_FOUND', 'This service counts nothing; start it with --metrics, or createService({ metrics: true })');
    }
    if (metricsToken !== undefined) requireToken(metricsToken, context.req.header('authorization'));
    return context.text(await metrics.text(), 200, { 'content-type': PROMETHEUS_TEXT });
  });
  return app;
}

function requireToken(token: string, authorization = ''): void {
  // Hashes are of one length, which the comparison needs, and tell nothing of the length of the token.
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  if (given && wanted && timingSafeEqual(given, wanted)) return;
  throw new SvcError('INVALID_KEY', 'The metrics want their own token (SVC_METRICS_TOKEN), as "Authorization: Bearer …"');
}
