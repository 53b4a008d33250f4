/** The flags of the running service and their meaning, for the settings page. Addresses and holders of secrets are left out. */
import type { SettingsPage } from '#sdk/protocol/admin';
import type { Limits } from '#sdk/protocol/limits';
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
  origins: ReadonlySet<string>;
  settlement: SettlementSettings | undefined;
  limits: Limits;
  secretKeys: Pick<SecretKeysSource, 'hasKeys'>;
  connections: KeptConnectionsOptions;
}

const LIMITS: Record<keyof Limits, string> = {
  requestBodyBytes: 'Bytes of one HTTP request at most',
  unfinishedBodyBytes: 'Bytes of all request bodies that are not complete at most',
  connections: 'Connections of callers that may be open at a time',
  payloadBytes: 'Bytes of one payload at most',
  resultBytes: 'Bytes of one result at most; a larger one is cut',
  frameBytes: "Bytes of one frame on a toolkit's socket at most",
  unfinishedFrameBytes: "Bytes of all frames on toolkits' sockets that are not complete at most",
  actionsPerToolkit: 'Actions that one toolkit may register',
  toolkitTextBytes: 'Bytes of all texts of one toolkit at most, as JSON',
  changedRegistrationsPerMinute: 'Changes that one toolkit key may make to its actions and texts in a minute',
  toolkitNameChars: "Characters of a toolkit's name at most",
  descriptionChars: 'Characters of a description at most',
  payloadDescriptionBytes: 'Bytes of one payload description at most',
  payloadDescriptionDepth: 'Levels of nesting in a payload description',
  queryChars: 'Characters of a search at most',
  socketsPerKey: 'Processes that one toolkit key may connect at a time',
  invocationsPerKey: 'Calls of one agent key that may run or wait at a time',
  invocationsPerToolkit: 'Calls of one toolkit that may run at a time',
  queueLength: 'Calls that may wait for a free process of one toolkit',
  defaultTimeoutMs: 'Milliseconds that a call may take when its caller names no deadline',
  maxTimeoutMs: 'Milliseconds that a caller may ask for at most',
  longTimeoutMs: 'The same for an action that is declared long',
  detachedPerKey: 'Calls of one agent key that may run longer than their requests at a time',
  runsPerKey: 'Runs of code of one agent key that may be in progress at a time',
  waitingRunsPerKey: 'Runs of code of one agent key that may wait at a time',
  approvalsPerKey: 'Questions of one agent key that may wait for a person at a time',
  approvalMs: 'Milliseconds that a question waits for a person',
  headersTimeoutMs: 'Milliseconds that a client may take to send the headers of a request',
  requestTimeoutMs: 'Milliseconds that a client may take to send a whole request',
  answerTimeoutMs: 'Milliseconds that a client may leave an answer unread',
  handshakeTimeoutMs: "Milliseconds from a toolkit's connection to its registration",
  heartbeatMs: 'Milliseconds between two heartbeats of a toolkit',
  reconnectGraceMs: 'Milliseconds that a lost toolkit process has to reconnect with its results',
  takeoverGraceMs: 'Milliseconds that a call which must not run twice waits for its process after a reset or a restart of the service',
  idempotencyMs: 'Milliseconds that a result is kept for a retry of the same call',
  keptResultBytesPerKey: 'Bytes of the results of one agent key that are kept for retries',
};

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
  origins,
  settlement,
  secretKeys,
  connections,
  limits,
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
    { name: 'public URL', value: console?.publicUrl ?? 'any', meaning: 'From which address people may sign in (--public-url)' },
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
    ...Object.entries(LIMITS).map(([name, meaning]) => ({
      name,
      value: String(limits[name as keyof Limits]),
      meaning: `${meaning} (--limit ${name}=…)`,
    })),
  ];
}

function shownWeights(weights: RankWeights): string {
  if (weights === WORDS_ALONE) return 'off';
  return weights === DEFAULT_RANK_WEIGHTS ? 'built in' : 'own';
}
