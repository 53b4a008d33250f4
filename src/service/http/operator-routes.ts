/** Health, readiness and metrics, without a key. docs/operations.md. */
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
      throw new SvcError('NOT_FOUND', 'Metrics are off: start the service with --metrics, or with createService({ metrics: true })');
    }
    if (metricsToken !== undefined) requireToken(metricsToken, context.req.header('authorization'));
    return context.text(await metrics.text(), 200, { 'content-type': PROMETHEUS_TEXT });
  });
  return app;
}

function requireToken(token: string, authorization = ''): void {
  // Hashes have equal lengths, which timingSafeEqual needs, and hide the length of the token.
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  if (given && wanted && timingSafeEqual(given, wanted)) return;
  throw new SvcError('INVALID_KEY', 'The metrics need their own token (SVC_METRICS_TOKEN): send it as "Authorization: Bearer …"');
}
