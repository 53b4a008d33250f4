/**
 * Starts the rooms of the service, each after the rooms that it uses. The port opens last.
 *
 * Errors: rejects when the data cannot be read or the port is in use. The caller then closes the store and the bus.
 */
import { openApprovals } from '../approvals/open-approvals';
import { Audit } from '../audit/audit';
import { Handles } from '../calls/handles';
import { newInvocationId } from '../calls/invocation-id';
import { openCalls } from '../calls/open-calls';
import { ClusterStatus } from '../cluster/cluster-status';
import { Online } from '../cluster/online';
import { PageAddress } from '../connections/connect/page-address';
import { Readiness } from '../http/readiness';
import { UsageReports } from '../http/usage-reports';
import { KeyRing } from '../keys/key-ring';
import { requireLedgerCurrency } from '../payments/currency';
import { ListingJobs } from '../records/listing-jobs';
import { startBackgroundJobs } from './background-jobs';
import { callObservers } from './call-observers';
import { fixedSettings } from './fixed-settings';
import { joinCluster } from './join-cluster';
import { openAccounts } from './open-accounts';
import { openAgentGate } from './open-agent-gate';
import { openCatalog } from './open-catalog';
import { lazyConnections } from './open-connections';
import { openDetachedCalls } from './open-detached-calls';
import { openHub } from './open-hub';
import { openKeptTexts } from './open-kept-texts';
import { openRules } from './open-rules';
import { openRuns } from './open-runs';
import { openSearches } from './open-searches';
import { openServer } from './open-server';
import { openMetrics, startAttention, startEmbeddings, startRecords, startSettlement } from './optional-rooms';
import { refuseRevokedKeys } from './refuse-revoked-keys';
import { reportSecretKeys } from './report-secret-keys';
import { type Service, serviceHandle } from './service-handle';
import { shownLimits } from './shown-limits';
import type { StartOptions } from './start-options';
import { stopService } from './stop-service';

export async function startService(options: StartOptions): Promise<Service> {
  // First: every other room uses the measured store and bus.
  const { store, bus, metrics } = await openMetrics(options);
  await requireLedgerCurrency(store.ledger, options.currency);
  const base = { ...options, store, bus, metrics, readiness: new Readiness() };
  const audit = new Audit(store.audit);
  const { catalog, usage, terms, misfits } = await openCatalog({ ...base, audit });
  const keys = new KeyRing(store);
  const address = new PageAddress({ publicUrl: options.console?.publicUrl, host: options.host });
  const { openConnections, callConnections, settleConnections } = lazyConnections({ ...base, catalog, keys, audit, address });
  const { cluster, hub, nodeKey } = await openHub({ ...base, catalog, renewConnection: callConnections.renew });
  const { searches, learning } = await openSearches({ ...base, cluster, usage, terms });
  const records = await startRecords({ ...base, cluster, catalog, hub, searches });
  const { rules, refreshDefaults } = await openRules({ ...base, records });
  const shared = { ...base, keys, rules, catalog, misfits, cluster, hub, searches, records, audit, openConnections };

  const texts = await openKeptTexts(base);
  const detached = openDetachedCalls({ ...shared, texts, begin: (request, answer) => calls.begin(request, answer) });
  const { approvals, decisions, approvalJobs, approvalWebhook } = openApprovals({
    ...shared,
    texts,
    runs: detached,
    doorbell: cluster.doorbell,
    announce(id) {
      cluster.ring(id);
      records?.changed('approvals');
    },
    pageOf: (id) => (options.console && address.url !== undefined ? `${address.url}/approvals/${id}` : undefined),
    newHandle: newInvocationId,
    privateHosts: options.connections.privateHosts ?? [],
  });
  const handles = new Handles({ detached, approvals });
  const { calls, peerCalls, orphanedCalls, runningByKey } = openCalls({
    ...shared,
    node: store.node,
    store: store.invocations,
    ledger: store.ledger,
    connections: callConnections,
    approvals,
    detached,
    handles,
    nodeKey,
    observers: callObservers(shared),
  });
  const { accounts, changeLimits } = openAccounts(shared);
  await joinCluster({ ...shared, peerCalls, runningByKey });
  // Before the port opens: retries and reconnecting processes then find these calls in the directory.
  await orphanedCalls.takeAbandoned();
  await detached.takeAbandoned();
  await approvals.refreshKeys();

  const embeddings = await startEmbeddings({ ...shared, store: store.vectors });
  const settlement = await startSettlement(base);
  const agentGate = openAgentGate(shared);
  const online = new Online(hub, cluster);
  const usageReports = new UsageReports(records?.usage);
  const opened = await openRuns({
    ...{ ...shared, ...agentGate, texts, begin: calls.begin, handles, decisions, callConnections },
    ...{ ranking: embeddings ?? catalog, online, usageReports },
  });
  const runs = opened?.runs;
  await runs?.takeAbandoned();
  const attention = await startAttention({
    ...shared,
    texts,
    online,
    clusterStatus: new ClusterStatus(hub, cluster, store.node),
    privateHosts: options.connections.privateHosts ?? [],
    smtpUrl: options.smtpUrl,
    linkOf: (path) => (address.url === undefined ? undefined : `${address.url}${path}`),
  });
  const stopping = new AbortController();
  const server = openServer({
    ...shared,
    ...agentGate,
    runs,
    usageReports,
    calls,
    approvals,
    decisions,
    approvalWebhook,
    handles,
    embeddings,
    accounts,
    changeLimits,
    attention,
    fixed: fixedSettings(options),
    shownLimits: shownLimits(options.limits),
    metricsToken: options.metrics?.token,
    stopping: stopping.signal,
  });
  refuseRevokedKeys({ ...shared, calls, learning });
  const listingJobs = records && new ListingJobs({ store: store.listings, catalog, online });
  const jobs = startBackgroundJobs({
    ...shared,
    listingJobs,
    refreshDefaults,
    openConnections,
    orphanedCalls,
    detached,
    runs,
    approvalJobs,
  });
  reportSecretKeys({ ...shared, ...options });
  const running = {
    ...shared,
    calls,
    approvals,
    detached,
    runs,
    closeSandbox: async () => opened?.close(),
    learning,
    attention,
    embeddings,
    settlement,
    settleConnections,
    accounts,
    server,
    jobs,
    stopping,
  };
  const port = await server.listen(options.port, options.host).catch(async (error: unknown) => {
    await stopService(running);
    throw error;
  });
  address.listening(port);
  const url = `http://${urlHost(options.host)}:${port}`;
  options.logger.info({ url, node: store.node }, 'service started');
  return serviceHandle({ ...running, url, port });
}

/** A client cannot connect to a wildcard address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
