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
import { SvcError } from '../protocol/errors';
import type { CreatedKey, CreateKeyRequest, KeyInfo } from '../protocol/http';
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits';
import { LocalBus } from './bus/local-bus';
import type { NatsOptions } from './bus/nats-options';
import { Catalog } from './catalog/catalog';
import { UsageIndex } from './catalog/search/index';
import { Cluster } from './cluster/cluster';
import { Online } from './cluster/online';
import { sharedCount, sharedCounts } from './cluster/shared-counts';
import type { Embeddings, EmbeddingsParts } from './embeddings/embeddings';
import { type EmbeddingsOptions, type EmbeddingsSettings, readEmbeddingsOptions } from './embeddings/options';
import { AgentGate } from './http/agent-gate';
import { HttpServer } from './http/http-server';
import { Hub, type RegistrationListener } from './hub/hub';
import { Invoker } from './invocations/invoker';
import { KeyRing } from './keys/key-ring';
import { RateLimits } from './keys/rate-limit';
import { HashedTerms, Learning, type LearningSetting, readLearningSetting } from './learning/index';
import { type Logger, silentLogger } from './logger';
import { type AllowedHosts, readAllowedHosts } from './mcp/allowed-hosts';
import { requireSqlite } from './require-sqlite';
import { openKeyStore, openStore, requireStore } from './store/open-store';
import type { Store } from './store/store';

export interface ServiceOptions {
  /** 0 takes any free port. Default 8787. */
  port?: number | undefined;
  /** Default 127.0.0.1: only this machine. */
  host?: string | undefined;
  /** Directory for what must last; made when it does not exist. Default: memory, gone with the process. */
  data?: string | undefined;
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
   * What may be kept of queries, so that search gets better with use: `hashed` (default) their terms as one-way hashes, `text` the queries
   * themselves too, `off` nothing, and what was learned before is not used. docs/discovery.md.
   */
  learning?: LearningSetting | undefined;
  /** Search by meaning too, with the vectors of a model that you run or rent: docs/discovery.md. Default: by words alone. */
  embeddings?: EmbeddingsOptions | undefined;
  /** Default: silent. */
  logger?: Logger | undefined;
  /** Told of every registration of a toolkit, with all that the linter says of it. What it throws reaches nobody but the logger. */
  onRegistration?: RegistrationListener | undefined;
}

/** Makes and withdraws keys. */
export interface Keys {
  /** The answer is the only time that the key itself is shown. Throws SvcError INVALID_REQUEST. */
  create(request: CreateKeyRequest): Promise<CreatedKey>;
  list(): Promise<KeyInfo[]>;
  /** A new secret for the same key; the old one stops at once. */
  rotate(id: string): Promise<CreatedKey>;
  /** Its sockets close and its calls fail within a second. */
  revoke(id: string): Promise<void>;
}

export interface Service {
  /** Base URL for `Tools` and `Toolkit`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /** Running calls are told SERVICE_STOPPING; what was sent to a handler is taken up again by the next service on the same data. */
  close(): Promise<void>;
}

/**
 * The keys of a data directory, with or without a service that runs on it; a running one follows within a second.
 *
 * @param options.create false refuses a directory without data, with NOT_FOUND, instead of making it
 */
export async function openKeys(
  data: string,
  { create = true }: { create?: boolean | undefined } = {},
): Promise<Keys & { close(): Promise<void> }> {
  requireSqlite();
  if (!create) requireStore(data);
  const store = await openKeyStore(data);
  const keys = new KeyRing(store);
  return { ...keysOf(keys), close: () => store.close() };
}

/** How often old idempotency keys are forgotten. */
const PRUNE_MS = 10 * 60 * 1000;
/** How often this node looks for calls of nodes that are gone. */
const ADOPT_MS = 5_000;
/** For the other nodes to say what they offer, before a toolkit that registers here could take actions of theirs from the catalogue. */
const SETTLE_MS = 250;

/** Resolves when the service answers. Rejects with SvcError when the port is taken or the data cannot be opened. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  requireSqlite();
  const { port = 8787, host = '127.0.0.1', logger = silentLogger } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SvcError('INVALID_REQUEST', `port must be a whole number from 0 to 65535, not ${port}`);
  const limits = mergeLimits(options.limits);
  const learning = readLearningSetting(options.learning);
  const hosts = readAllowedHosts(host, options.allowedHosts ?? []);
  const embeddings = options.embeddings && readEmbeddingsOptions(options.embeddings);
  const store = await openStore({ data: options.data, logger });
  try {
    return await start({ store, limits, learning, embeddings, logger, port, host, hosts, onRegistration: options.onRegistration });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Start {
  store: Store;
  limits: Limits;
  learning: LearningSetting;
  logger: Logger;
  port: number;
  host: string;
  hosts: AllowedHosts;
  embeddings: EmbeddingsSettings | undefined;
  onRegistration: RegistrationListener | undefined;
}

async function start({ store, limits, logger, port, host, hosts, onRegistration, ...settings }: Start): Promise<Service> {
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const catalog = new Catalog(store.catalog, limits, usage);
  await catalog.load();
  const keys = new KeyRing(store);
  const bus = new LocalBus({ logger });
  const cluster = new Cluster({ bus, node: store.node, logger });
  const hub: Hub = new Hub({
    registry: catalog,
    limits,
    surroundings: {
      offeredElsewhere: (toolkitId, actionName) => cluster.offers(toolkitId, actionName),
      changed: (toolkitId) => cluster.changed(toolkitId),
      registered: (toolkitId, instance, unfinished) => cluster.instanceHere(toolkitId, instance, unfinished),
      returned: (toolkitId, ids) => invoker.adoptReturned(toolkitId, ids),
      runningElsewhere: (toolkitId) => cluster.count(sharedCount.running(toolkitId)),
      socketsElsewhere: (keyId) => cluster.count(sharedCount.sockets(keyId)),
      settled: () => store.invocations.settled(),
    },
    onRegistration: (registration) => {
      try {
        onRegistration?.(registration);
      } catch (error) {
        logger.error({ error }, 'onRegistration failed');
      }
    },
  });
  const learning = await Learning.open({ store, usage, terms, setting: settings.learning, logger });
  const onOutcome = learning.invoked.bind(learning);
  const invoker: Invoker = new Invoker({ catalog, hub, cluster, node: store.node, store: store.invocations, onOutcome, limits, logger });
  await cluster.start(
    {
      offer: (toolkitId) => hub.offer(toolkitId),
      toolkitIds: () => hub.toolkitIds(),
      counts: () =>
        sharedCounts({ callsByKey: invoker.callsByKey, socketsByKey: hub.socketsByKey, runningByToolkit: hub.runningByToolkit() }, limits),
    },
    invoker,
    0,
  );
  await invoker.adoptAbandoned();
  const gate = new AgentGate(keys, new RateLimits());
  const embeddings = settings.embeddings && (await startEmbeddings({ catalog, store: store.vectors, logger }, settings.embeddings));
  const ranking = embeddings ?? catalog;
  const online = new Online(hub, cluster);
  const server = new HttpServer({ catalog, ranking, hub, online, keys, gate, invoker, learner: learning, limits, hosts, logger });

  keys.onRevoked((keyId, code) => {
    hub.refuseKey(keyId, code);
    invoker.refuseKey(keyId, code);
    learning.keyEnded(keyId);
  });
  const logFailure = (what: string) => (error: unknown) => logger.error({ error }, what);
  const stopWatching = store.onForeignChange((change) => {
    Promise.all([change.keys && keys.refresh(), catalog.refresh(change.toolkits)]).catch(
      logFailure('cannot read what another process changed'),
    );
  });
  const adopt = setInterval(() => {
    invoker.adoptAbandoned().catch(logFailure('cannot take over calls of nodes that are gone'));
  }, ADOPT_MS);
  adopt.unref();
  const prune = setInterval(() => {
    store.invocations.forgetKeys(Date.now() - limits.idempotencyMs).catch(logFailure('cannot forget old idempotency keys'));
  }, PRUNE_MS);
  prune.unref();

  let closed: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(prune);
    clearInterval(adopt);
    stopWatching();
    cluster.leave();
    invoker.close();
    hub.close();
    await server.close();
    cluster.close();
    await bus.close();
    await learning.close();
    await embeddings?.close();
  };
  const boundPort = await server.listen(port, host).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: `http://${urlHost(host)}:${boundPort}`,
    port: boundPort,
    keys: keysOf(keys),
    close: () => {
      closed ??= stop().finally(() => store.close());
      return closed;
    },
  };
}

/** Loaded when used: most services search by words alone. */
async function startEmbeddings(parts: EmbeddingsParts, settings: EmbeddingsSettings): Promise<Embeddings> {
  const { Embeddings } = await import('./embeddings/embeddings');
  return new Embeddings(parts, settings);
}

function keysOf(keys: KeyRing): Keys {
  return {
    create: (request) => keys.create(request),
    list: () => keys.list(),
    rotate: (id) => keys.rotate(id),
    revoke: (id) => keys.revoke(id),
  };
}

/** These become timers, the heartbeat 2.5 times as long; Node's fire at once above 2^31 ms. */
const TIMERS: ReadonlySet<string> = new Set<keyof Limits>([
  'defaultTimeoutMs',
  'maxTimeoutMs',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'handshakeTimeoutMs',
  'heartbeatMs',
  'reconnectGraceMs',
  'takeoverGraceMs',
]);
const MAX_TIMER_MS = 10 * 24 * 60 * 60 * 1000;

function mergeLimits(changes: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new SvcError('INVALID_REQUEST', `There is no limit "${name}"; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new SvcError('INVALID_REQUEST', `Limit ${name} must be a whole number above 0, not ${value}`);
    if (TIMERS.has(name) && value > MAX_TIMER_MS)
      throw new SvcError('INVALID_REQUEST', `Limit ${name} must be at most ${MAX_TIMER_MS} ms, ten days, not ${value}`);
  }
  return { ...DEFAULT_LIMITS, ...changes };
}

/** A wildcard address is no address to call. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
