/** The flags of the running service and their meaning, for the settings page. Addresses and holders of secrets are left out. */
import type { SettingsPage } from '#sdk/protocol/admin';
import type { RuleDefaults } from '#sdk/protocol/rules';
import { type ConsoleOptions, MAX_ACCESS_TOKEN_SECONDS } from '../accounts/console-options';
import type { ReviewPolicy } from '../catalog/review/review-policy';
import { DEFAULT_RANK_WEIGHTS, type RankWeights, WORDS_ALONE } from '../catalog/search/index';
import type { KeptConnectionsOptions } from '../connections/kept-connections-options';
import { SECRETS_KEY_VARIABLE, type SecretKeysSource } from '../connections/secret-keys-source';
import type { SettlementSettings } from '../payments/settlement-options';

interface Started {
  shared: boolean;
  currency: string;
  learning: string;
  review: ReviewPolicy;
  ruleDefaults: RuleDefaults;
  /** Only whether embeddings are on is shown. */
  embeddings: unknown;
  rankWeights: RankWeights;
  metrics: unknown;
  tracing: unknown;
  console: ConsoleOptions | undefined;
  catalogue: string;
  origins: ReadonlySet<string>;
  settlement: SettlementSettings | undefined;
  secretKeys: Pick<SecretKeysSource, 'hasKeys'>;
  connections: KeptConnectionsOptions;
}

export function fixedSettings({
  shared,
  currency,
  learning,
  review,
  ruleDefaults,
  embeddings,
  rankWeights,
  metrics,
  tracing,
  console,
  catalogue,
  origins,
  settlement,
  secretKeys,
  connections,
}: Started): SettingsPage['fixed'] {
  return [
    {
      name: 'nodes',
      value: shared ? 'several, joined by NATS' : 'one',
      meaning: 'How many processes of the service work together (--nats)',
    },
    { name: 'currency', value: currency, meaning: 'The currency of every price and budget (--currency)' },
    { name: 'learning', value: learning, meaning: 'Storage of queries, so that search gets better with use (--learning)' },
    {
      name: 'new actions',
      value: review.newActions,
      meaning: 'Whether agents may use new actions before an owner approves them (--new-actions)',
    },
    {
      name: 'changed actions',
      value: review.changedActions,
      meaning: 'Whether agents may use actions whose texts changed since an owner approved them (--changed-actions)',
    },
    {
      name: 'rule defaults',
      value:
        Object.entries(ruleDefaults)
          .map(([hint, effect]) => `${hint}=${effect}`)
          .join(', ') || 'none',
      meaning: 'Effects by hint where no rule of a key matches, at least (--rule-default)',
    },
    { name: 'embeddings', value: embeddings ? 'on' : 'off', meaning: 'Search by meaning too (--embeddings-url)' },
    { name: 'rank weights', value: shownWeights(rankWeights), meaning: 'Weights of the second stage of search (--rank-weights)' },
    { name: 'metrics', value: metrics ? 'on' : 'off', meaning: 'Whether /metrics counts for Prometheus (--metrics)' },
    { name: 'tracing', value: tracing ? 'on' : 'off', meaning: 'Whether calls are recorded as OpenTelemetry spans (--tracing)' },
    { name: 'catalogue', value: catalogue, meaning: 'Readers of the pages of toolkits (--catalogue)' },
    { name: 'public URL', value: console?.publicUrl ?? 'any', meaning: 'From which address people may sign in (--public-url)' },
    {
      name: 'model of the playground',
      value: console?.playground ? `${console.playground.model}, for ${console.playground.openTo ?? 'owners'}` : 'none',
      meaning: 'A model that people may use in the playground (--playground-model-url)',
    },
    {
      name: 'trusted proxies',
      value: console?.trustedProxies?.join(', ') || 'none',
      meaning: 'Proxies whose X-Forwarded-For names the client (--trusted-proxy)',
    },
    {
      name: 'access tokens',
      value: `${console?.accessTokenSeconds ?? MAX_ACCESS_TOKEN_SECONDS} s`,
      meaning: 'How long a token of a connected app lasts before the app refreshes it (accessTokenSeconds)',
    },
    {
      name: 'private client hosts',
      value: console?.privateClientHosts?.join(', ') || 'none',
      meaning: 'Hosts in private networks whose client documents are read (--private-client-host)',
    },
    {
      name: 'kept connections',
      value: secretKeys.hasKeys ? 'on' : 'off',
      meaning: `Whether accounts of users can be stored (${SECRETS_KEY_VARIABLE})`,
    },
    {
      name: 'private provider hosts',
      value: connections.privateHosts?.join(', ') || 'none',
      meaning: 'Hosts in private networks that may be providers of kept connections (--private-provider-host)',
    },
    { name: 'OpenID provider', value: console?.oidc?.issuer ?? 'none', meaning: 'Where people may sign in too (--oidc-issuer)' },
    {
      name: 'allowed origins',
      value: [...origins].join(', ') || 'none',
      meaning: 'Origins whose pages may search and call from a browser (--allowed-origin)',
    },
    {
      name: 'settlement',
      value: settlement?.shown ?? 'none',
      meaning: 'Receiver of each charged call, in order (--ledger-webhook)',
    },
  ];
}

function shownWeights(weights: RankWeights): string {
  if (weights === WORDS_ALONE) return 'off';
  return weights === DEFAULT_RANK_WEIGHTS ? 'built in' : 'own';
}
