/** What a service was started with, in words for the people who look at its settings. Nothing of it is a secret. */
import type { SettingsPage } from '../protocol/admin';
import type { Start } from './start-service';

export function fixedSettings({
  host,
  shared,
  learning,
  embeddings,
  metrics,
  tracing,
  console,
}: Omit<Start, 'store' | 'bus'>): SettingsPage['fixed'] {
  const on = (is: boolean) => (is ? 'on' : 'off');
  return [
    { name: 'host', value: host, meaning: 'The address that it listens on: 127.0.0.1 is reached from this machine alone.' },
    {
      name: 'publicUrl',
      value: console?.publicUrl ?? 'any',
      meaning: 'The one address from which people sign in; any: whichever they reach it by.',
    },
    {
      name: 'oidc',
      value: console?.oidc?.issuer ?? 'off',
      meaning: 'The OpenID provider at which people may sign in, beside passwords and passkeys.',
    },
    { name: 'nodes', value: shared ? 'many' : 'one', meaning: 'Many: it shares its database and its NATS with other nodes.' },
    {
      name: 'learning',
      value: learning,
      meaning: 'What is kept of queries so that search gets better: hashes of their words, the text too, or nothing.',
    },
    { name: 'embeddings', value: on(embeddings !== undefined), meaning: 'Search goes by meaning too, with the vectors of a model.' },
    { name: 'metrics', value: on(metrics !== undefined), meaning: 'It counts what happens, for Prometheus at /metrics.' },
    { name: 'tracing', value: on(tracing !== undefined), meaning: 'It records an OpenTelemetry span for every call.' },
  ];
}
