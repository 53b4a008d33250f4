/** Puts the rooms together: from what is opened and read to a service that answers. */
import type { Limits } from '../../protocol/limits';
import { Accounts } from '../accounts/accounts';
import { ChangeLimits } from '../accounts/change-limits';
import type { ConsoleOptions } from '../accounts/console-options';
import { Audit } from '../audit/audit';
import type { Bus } from '../bus/bus';
import { type CallObserver, CallObservers } from '../calls/call-observer';
import { openCalls } from '../calls/open-calls';
import { Catalog } from '../catalog/catalog';
import { UsageIndex } from '../catalog/search/index';
import { Cluster } from '../cluster/cluster';
import { ClusterStatus, type LookQuestion, lookHere } from '../cluster/cluster-status';
import { Online } from '../cluster/online';
import { sharedCount, sharedCounts } from '../cluster/shared-counts';
import type { Embeddings, EmbeddingsDeps } from '../embeddings/embeddings';
import type { EmbeddingsSettings } from '../embeddings/options';
import { AgentGate } from '../http/agent-gate';
import { HttpServer } from '../http/http-server';
import { Readiness } from '../http/readiness';
import { Hub } from '../hub/hub';
import type { OtherNodes } from '../hub/other-nodes';
import type { RegistrationListener } from '../hub/registrations';
import { AgentTokens } from '../keys/agent-tokens';
import { KeyRing } from '../keys/key-ring';
import { type Keys, keysOf } from '../keys/keys';
import { RateLimits } from '../keys/rate-limit';
import { HashedTerms, Learning, type LearningSetting } from '../learning/index';
import type { Logger } from '../lib/logger';
import type { AllowedHosts } from '../mcp/allowed-hosts';
import { SessionSearches } from '../mcp/session-searches';
import type { Metrics } from '../metrics/index';
import type { MetricsOptions } from '../metrics/options';
import type { RecordsDeps } from '../records/open-records';
import type { Records } from '../records/records';
import { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import type { OpenTelemetry } from '../tracing/open-telemetry';
import { tracedCalls } from '../tracing/traced-calls';
import { startBackgroundJobs } from './background-jobs';
import { callLog } from './call-log';
import { drain } from './drain';
import { fixedSettings } from './fixed-settings';

export interface Service {
  /** Base URL for `Tools` and `Toolkit`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /**
   * A one-time link to the console that makes the first account, its owner's; it works for a day, or until the next one is made. Undefined when
   * anybody has an account, or without console.
   */
  setupLink(): Promise<string | undefined>;
  /**
   * Not ready at once, no new calls; for `graceMs` (default 0) running calls may end, and toolkits are led to other nodes if there are any. Then
   * running calls get SERVICE_STOPPING; another node, or the next service on the same data, takes over the calls that handlers have.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface Start {
  store: Store;
  bus: Bus;
  /** Whether there may be other nodes. */
  shared: boolean;
  limits: Limits;
  learning: LearningSetting;
  logger: Logger;
  port: number;
  host: string;
  hosts: AllowedHosts;
  origins: ReadonlySet<string>;
  embeddings: EmbeddingsSettings | undefined;
  metrics: MetricsOptions | undefined;
  tracing: OpenTelemetry | undefined;
  console: ConsoleOptions | undefined;
  onRegistration: RegistrationListener | undefined;
}

/** Time for the offers of the other nodes, before a toolkit that registers here could remove their actions from the catalogue. */
const SETTLE_MS = 250;

export async function startService(start: Start): Promise<Service> {
  const { limits, logger, port, host, hosts, origins, ...settings } = start;
  const observed = settings.metrics && (await startMetrics(settings));
  const { store, bus } = observed ?? settings;
  const metrics = observed?.metrics;
  const readiness = new Readiness();
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const catalog = new Catalog(store.catalog, limits, usage);
  await catalog.load();
  const keys = new KeyRing(store);
  const tokens = new AgentTokens({ settings: store.settings, keys });
  const cluster = new Cluster({ bus, node: store.node, logger });
  const otherNodes: OtherNodes = {
    offers: (toolkitId, actionName) => cluster.offers(toolkitId, actionName),
    running: (toolkitId) => cluster.count(sharedCount.running, toolkitId),
    sockets: (keyId) => cluster.count(sharedCount.sockets, keyId),
  };
  const hub = new Hub({ registry: catalog, otherNodes, outcomes: store.invocations, limits, logger });
  hub.replicas.onChange((toolkitId) => cluster.changed(toolkitId));
  hub.instances.onRegistered((registered) => cluster.instanceHere(registered));
  hub.registrations.onRegistration(guarded(settings.onRegistration, logger));
  const learning = await Learning.open({ store, usage, terms, setting: settings.learning, logger });
  const searches = new Searches({ cluster, node: store.node });
  searches.observe(learning);
  const records = settings.console && (await startRecords({ store, cluster, catalog, hub, searches, logger }));
  if (records) hub.replicas.onChange((toolkitId) => records.toolkitChanged(toolkitId));
  const { calls, peerCalls, orphanedCalls, runningByKey } = openCalls({
    catalog,
    hub,
    cluster,
    node: store.node,
    store: store.invocations,
    observers: new CallObservers(callObservers({ searches, records, metrics, tracing: settings.tracing, logger })),
    limits,
    logger,
  });
  hub.instances.onReturned((toolkitId, ids) => orphanedCalls.takeReturned(toolkitId, ids));
  const audit = new Audit(store.audit);
  const changeLimits = new ChangeLimits(store);
  const accounts =
    settings.console &&
    new Accounts({ store, keys, audit, changeLimits, logger, onChange: () => records?.changed('people'), ...settings.console });
  const stopping = new AbortController();
  const offers = {
    offer: (toolkitId: string) => hub.replicas.offer(toolkitId),
    toolkitIds: () => hub.replicas.toolkitIds(),
    look: (question: LookQuestion) => lookHere(hub, question),
    counts: () =>
      sharedCounts(
        { callsByKey: runningByKey, socketsByKey: hub.sockets.byKey, runningByToolkit: hub.replicas.runningByToolkit() },
        limits,
      ),
  };
  await cluster.start(offers, peerCalls, settings.shared ? SETTLE_MS : 0);
  await orphanedCalls.takeAbandoned();
  const onRefused = (keyId: string, code: string) => records?.refused(keyId, code);
  const gate = new AgentGate(keys, tokens, new RateLimits(store, () => metrics?.rateLimited()), onRefused);
  const embeddings = settings.embeddings && (await startEmbeddings({ catalog, store: store.vectors, logger }, settings.embeddings));
  metrics?.watchHub(() => hub.activity());
  metrics?.watchReadiness(() => readiness.reasons.length === 0);
  const server = new HttpServer({
    catalog,
    ranking: embeddings ?? catalog,
    hub,
    online: new Online(hub, cluster),
    clusterStatus: new ClusterStatus(hub, cluster, store.node),
    keys,
    store,
    audit,
    changeLimits,
    admin: accounts &&
      records && { accounts, publicUrl: settings.console?.publicUrl, records, fixed: fixedSettings(start), stopping: stopping.signal },
    gate,
    tokens,
    invoke: calls.invoke,
    calls,
    searches,
    sessionSearches: new SessionSearches(cluster),
    limits,
    console: settings.console !== undefined,
    hosts,
    origins,
    readiness,
    metrics,
    metricsToken: settings.metrics?.token,
    isTraced: settings.tracing !== undefined,
    logger,
  });

  keys.onRevoked((keyId, code) => {
    hub.sockets.refuseKey(keyId, code);
    calls.refuseKey(keyId, code);
    learning.keyEnded(keyId);
    records?.changed('keys');
  });
  catalog.onChange(() => records?.changedHere('toolkits'));
  const stopBackgroundJobs = startBackgroundJobs({
    store,
    bus,
    keys,
    catalog,
    orphanedCalls,
    searches,
    records,
    readiness,
    limits,
    logger,
  });
  const stop = async () => {
    stopBackgroundJobs();
    cluster.leave();
    calls.close();
    records?.recordSightings();
    hub.close();
    await server.close();
    cluster.close();
    await bus.close();
    await learning.close();
    await records?.close();
    await embeddings?.close();
  };
  const boundPort = await server.listen(port, host).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const url = `http://${urlHost(host)}:${boundPort}`;
  logger.info({ url, node: store.node }, 'service started');
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number) => {
    readiness.block('stopping');
    stopping.abort();
    if (graceMs > 0) await drain({ cluster, hub, calls, server }, graceMs);
    await stop().finally(() => store.close());
    logger.info({ node: store.node }, 'service stopped');
  };
  return {
    url,
    port: boundPort,
    async setupLink() {
      const invitation = await accounts?.setupInvitation();
      return invitation && `${settings.console?.publicUrl ?? url}/join#${invitation.token}`;
    },
    keys: keysOf(keys),
    close: ({ graceMs = 0 } = {}) => {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

/** Errors of the operator's listener reach only the logger. */
function guarded(listener: RegistrationListener | undefined, logger: Logger): RegistrationListener {
  return (registration) => {
    try {
      listener?.(registration);
    } catch (error) {
      logger.error({ error }, 'onRegistration failed');
    }
  };
}

/** Loaded when used, like everything that is off by default. */
async function startMetrics({ store, bus }: Pick<Start, 'store' | 'bus'>): Promise<{ metrics: Metrics; store: Store; bus: Bus }> {
  const { Metrics, measuredBus, measuredStore } = await import('../metrics/index');
  const metrics = new Metrics();
  return { metrics, store: measuredStore(store, metrics), bus: measuredBus(bus, metrics) };
}

interface CallObserverDeps extends Pick<Start, 'tracing' | 'logger'> {
  metrics: Metrics | undefined;
  records: Records | undefined;
  searches: Searches;
}

function callObservers({ searches, metrics, tracing, records, logger }: CallObserverDeps): CallObserver[] {
  const observers: CallObserver[] = [searches];
  if (tracing) observers.push(tracedCalls(tracing));
  if (metrics) observers.push(metrics.callObserver);
  if (records) observers.push(records.callObserver);
  if (logger.isLevelEnabled?.('info') ?? true) observers.push(callLog(logger));
  return observers;
}

/** Loaded when used: a service without a console keeps no more of a call than its outcome. */
async function startRecords(deps: RecordsDeps): Promise<Records> {
  const { openRecords } = await import('../records/open-records');
  return openRecords(deps);
}

/** Loaded when used: most services search by words alone. */
async function startEmbeddings(deps: EmbeddingsDeps, settings: EmbeddingsSettings): Promise<Embeddings> {
  const { Embeddings } = await import('../embeddings/embeddings');
  return new Embeddings(deps, settings);
}

/** A client cannot connect to a wildcard address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
