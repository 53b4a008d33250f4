/**
 * The service in this process: catalogue, search, routing and keys behind one port.
 *
 * ```ts
 * const service = await createService({ port: 0 });
 * const { key } = await service.keys.create({ kind: 'agent', name: 'test' });
 * // … new Tools({ apiKey: key, baseUrl: service.url })
 * await service.close();
 * ```
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Importer } from '#sdk/protocol/imports';
import type { Limits } from '#sdk/protocol/limits';
import type { RuleDefaults } from '#sdk/protocol/rules';
import { type CatalogueAccess, readCatalogueAccess } from './accounts/catalogue-access';
import { type ConsoleOptions, readConsoleOptions } from './accounts/console-options';
import { readSmtpAddress } from './attention/delivery/smtp-address';
import type { Bus } from './bus/bus';
import { type NatsOptions, readNatsOptions } from './bus/nats-options';
import { openBus } from './bus/open-bus';
import { type ReviewSetting, readReviewPolicy } from './catalog/review/review-policy';
import { type RankWeightsSetting, readRankWeights } from './catalog/search/index';
import { type KeptConnectionsOptions, readKeptConnectionsOptions } from './connections/kept-connections-options';
import { SecretKeysSource } from './connections/secret-keys-source';
import { type EmbeddingsOptions, readEmbeddingsOptions } from './embeddings/options';
import { readAllowedOrigins } from './http/allowed-origins';
import type { RegistrationListener } from './hub/registrations';
import { type LearningSetting, readLearningSetting } from './learning/index';
import { type Logger, silentLogger } from './lib/logger';
import { mergeLimits } from './lifecycle/merge-limits';
import type { Service } from './lifecycle/service-handle';
import { startService } from './lifecycle/start-service';
import { readAllowedHosts } from './mcp/allowed-hosts';
import { type MetricsOptions, readMetricsOptions } from './metrics/options';
import { readCurrency } from './payments/currency';
import type { Settle } from './payments/settlement';
import { readSettlement } from './payments/settlement-options';
import type { LedgerWebhook } from './payments/webhook';
import { readRuleDefaults } from './rules/rule-defaults';
import { type DataPlace, locationOf, readLocation } from './store/location';
import type { Versions } from './store/migrations';
import { migrate, openStore } from './store/open-store';
import type { Durability } from './store/store';
import { loadOpenTelemetry } from './tracing/open-telemetry';

export interface ServiceOptions {
  /** 0 takes any free port. Default 8787. */
  port?: number | undefined;
  /** Default 127.0.0.1: only this machine. */
  host?: string | undefined;
  /** Directory for what must last; made when it does not exist. Default: memory, gone with the process. */
  data?: string | undefined;
  /** PostgreSQL for what must last instead of a directory: `postgres://user:password@host:5432/name`. docs/operations.md. */
  database?: string | undefined;
  /** Data that survive a loss of power: docs/operations.md. Default: `full` with `database`, `normal` with `data`. */
  durability?: Durability | undefined;
  /** The NATS that joins the nodes of this service: its address, or what else it takes to connect. Needs `database`. docs/operations.md. */
  nats?: string | NatsOptions | undefined;
  /** Changes of the default limits; docs/limits.md lists them. */
  limits?: Partial<Limits> | undefined;
  /**
   * Host names by which MCP clients may call `/mcp`, such as `tools.example.com`, beside `localhost`, the loopback addresses and `host`. A
   * service that listens on all addresses may be called by any of them.
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Origins, such as `https://app.example.com`, whose pages may search and call from a browser (CORS), over `/mcp` too: docs/browsers.md.
   * Default: none.
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Storage of queries, so that search gets better with use: `hashed` (default) their terms as one-way hashes, `text` the queries
   * themselves too, `off` nothing, and what was learned before is not used. docs/discovery.md.
   */
  learning?: LearningSetting | undefined;
  /** Search by meaning too, with the vectors of a model that you run or rent: docs/discovery.md. Default: by words alone. */
  embeddings?: EmbeddingsOptions | undefined;
  /** Weights of the second stage of search that `npm run learn:rank` wrote; `off` leaves it out: docs/discovery.md. Default: the built-in ones. */
  rankWeights?: RankWeightsSetting | undefined;
  /** Counts and times what happens, for Prometheus at `GET /metrics`: docs/operations.md. Default: off, at no cost. */
  metrics?: boolean | MetricsOptions | undefined;
  /**
   * Records an OpenTelemetry span for every call, with the SDK that this process has registered; needs the package `@opentelemetry/api`.
   * Default: off. The trace context of a caller reaches the handler either way.
   */
  tracing?: boolean | undefined;
  /** The web console at `/`, accounts, and the admin API: docs/console.md. Default: off, and `/v1/keys` is for admin keys alone. */
  console?: boolean | ConsoleOptions | undefined;
  /**
   * The readers of the pages of toolkits at `/catalogue`, a part of the console: `members` (default) are people with an account, `public` is
   * everyone, search engines too. docs/catalogue.md.
   */
  catalogue?: CatalogueAccess | undefined;
  /**
   * The keys that seal the secrets of kept connections: `id:base64(32 bytes)`, with commas between keys; the first seals, all open. Default: with
   * `data` the file `secrets.key` in that directory, which the first use makes; with `database` none, and no connection is kept.
   */
  secretsKey?: string | undefined;
  /**
   * The SMTP server of alerts by e-mail, for targets without one of their own: `smtps://user:password@host:465`. docs/operations.md, "Alerts".
   * Default: none.
   */
  smtpUrl?: string | undefined;
  /** Connections that the service keeps for toolkits: docs/connections.md. */
  connections?: KeptConnectionsOptions | undefined;
  /**
   * Lets owners add toolkits and approve their changes in the console. It may run commands that an owner writes there, so give it only where
   * owners may do that: docs/imports/console.md. Default: none.
   */
  importer?: Importer | undefined;
  /** `review` keeps new actions from agents until an owner approves them: docs/operations.md. Default: `allow`. */
  newActions?: ReviewSetting | undefined;
  /** `review` keeps actions from agents whose texts changed since an owner approved them. Default: `allow`. */
  changedActions?: ReviewSetting | undefined;
  /**
   * Effects by hint where no rule of a key matches, such as `{ destructive: 'ask' }`; owners can make them stricter in the settings. Default: none,
   * and every call is allowed. docs/approvals.md.
   */
  ruleDefaults?: RuleDefaults | undefined;
  /** The currency of every price and budget: up to 16 letters and digits, such as `EUR` or `credits`. Default: `USD`. docs/payments.md. */
  currency?: string | undefined;
  /**
   * Called for every charged call: in the order in which they were booked, one at a time, and again after a rejection or a restart, so at least
   * once. It moves the money, or passes the entry on to what does. Default: none, and the ledger alone has the charges. docs/payments.md.
   */
  settle?: Settle | undefined;
  /** Sends every charged call to a webhook, instead of `settle`. */
  ledgerWebhook?: LedgerWebhook | undefined;
  /**
   * `true` runs programs of models for agent keys with `code`, in a process of their own: docs/code.md. It needs the package `quickjs-wasi`. Default:
   * off.
   */
  code?: boolean | undefined;
  /** Default: silent. */
  logger?: Logger | undefined;
  /** Called with every registration of a toolkit and the linter's findings. Its errors reach only the logger. */
  onRegistration?: RegistrationListener | undefined;
}

/**
 * Brings data to the version of this program, as every start on them does. It cannot be undone.
 *
 * @param options.check true changes nothing
 */
export function migrateData(data: DataPlace, { check = false }: { check?: boolean | undefined } = {}): Promise<Versions> {
  return migrate(locationOf(data), { check });
}

/** Resolves when the service answers. Rejects with SvcError when the port is taken or the data cannot be opened. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { port = 8787, host = '127.0.0.1', logger = silentLogger } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SvcError('INVALID_REQUEST', `port must be a whole number from 0 to 65535, not ${port}`);
  const currency = readCurrency(options.currency);
  const settlement = readSettlement(options);
  const limits = mergeLimits(options.limits);
  const review = readReviewPolicy(options);
  const ruleDefaults = readRuleDefaults(options.ruleDefaults);
  const learning = readLearningSetting(options.learning);
  const origins = readAllowedOrigins(options.allowedOrigins ?? []);
  const embeddings = options.embeddings && readEmbeddingsOptions(options.embeddings);
  const rankWeights = readRankWeights(options.rankWeights);
  const metrics = readMetricsOptions(options.metrics);
  const tracing = options.tracing ? await loadOpenTelemetry() : undefined;
  const console = readConsoleOptions(options.console);
  const catalogue = readCatalogueAccess(options.catalogue, console !== undefined);
  const publicHosts = console?.publicUrl === undefined ? [] : [new URL(console.publicUrl).hostname];
  const hosts = readAllowedHosts(host, [...(options.allowedHosts ?? []), ...publicHosts]);
  const nats = options.nats === undefined ? undefined : readNatsOptions(options.nats);
  if (nats && options.database === undefined)
    throw new SvcError('INVALID_REQUEST', 'Nodes that share a NATS share their data too: name the database (--database, SVC_DATABASE_URL)');
  const secretKeys = new SecretKeysSource({ secretsKey: options.secretsKey, data: options.data, database: options.database });
  const { smtpUrl } = options;
  if (smtpUrl !== undefined) readSmtpAddress(smtpUrl, 'smtpUrl');
  const connections = readKeptConnectionsOptions(options.connections);
  const store = await openStore(readLocation(options), { durability: options.durability, shared: nats !== undefined, logger });
  let bus: Bus | undefined;
  try {
    bus = await openBus({ nats, logger });
    return await startService({
      store,
      bus,
      shared: nats !== undefined,
      currency,
      settlement,
      limits,
      review,
      ruleDefaults,
      learning,
      embeddings,
      rankWeights,
      metrics,
      tracing,
      console,
      catalogue,
      secretKeys,
      connections,
      smtpUrl,
      importer: options.importer,
      code: options.code ?? false,
      logger,
      port,
      host,
      hosts,
      origins,
      onRegistration: options.onRegistration,
    });
  } catch (error) {
    await bus?.close();
    await store.close();
    throw error;
  }
}
