/** Health, readiness and metrics, without a key. docs/operations.md. */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { notReady, ready } from '#sdk/protocol/schemas';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { requireKnownHost } from './known-host';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export const operatorRoutes = [
  defineRoute({
    id: 'getHealth',
    summary: 'Does the process answer?',
    method: 'GET',
    path: PATHS.health,
    access: 'anyone',
    answer: z.unknown(),
    handle: () => ({ status: 'ok' }),
  }),
  defineRoute({
    id: 'getReadiness',
    summary: 'Should new calls come here?',
    method: 'GET',
    path: PATHS.ready,
    access: 'anyone',
    answer: ready,
    unavailable: notReady,
    handle({ context }, { readiness: { reasons } }: Pick<AppDeps, 'readiness'>) {
      return reasons.length === 0 ? { status: 'ready' as const } : context.json({ status: 'not ready', reasons }, 503);
    },
  }),
  defineRoute({
    id: 'getMetrics',
    summary: 'Prometheus metrics, if enabled',
    method: 'GET',
    path: PATHS.metrics,
    access: 'anyone',
    stream: { 'text/plain': 'Prometheus text format' },
    async handle({ context }, { metrics, metricsToken, hosts }: Pick<AppDeps, 'metrics' | 'metricsToken' | 'hosts'>) {
      if (!metrics) {
        throw new SvcError('NOT_FOUND', 'Metrics are off: start the service with --metrics, or with createService({ metrics: true })');
      }
      if (metricsToken !== undefined) requireToken(metricsToken, context.req.header('authorization'));
      else requireKnownHost(context.req.header('host'), { hosts });
      return context.text(await metrics.text(), 200, { 'content-type': PROMETHEUS_TEXT });
    },
  }),
] as const;

function requireToken(token: string, authorization = ''): void {
  // Hashes have equal lengths, which timingSafeEqual needs, and hide the length of the token.
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  if (given && wanted && timingSafeEqual(given, wanted)) return;
  throw new SvcError('INVALID_KEY', 'The metrics need their own token (SVC_METRICS_TOKEN): send it as "Authorization: Bearer …"');
}
