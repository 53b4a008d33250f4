import type { Importer } from '#sdk/protocol/imports';
import type { Accounts } from '../accounts/accounts';
import { type ConsoleOptions, MAX_ACCESS_TOKEN_SECONDS } from '../accounts/console-options';
import type { OpenedAttention } from '../attention/open-attention';
import type { Calls } from '../calls/calls';
import type { HandledCalls } from '../calls/handles';
import type { Cluster } from '../cluster/cluster';
import { ClusterStatus } from '../cluster/cluster-status';
import { Online } from '../cluster/online';
import type { Embeddings } from '../embeddings/embeddings';
import type { AdminDeps, AppDeps } from '../http/app-deps';
import { HttpServer } from '../http/http-server';
import { RequestBodies } from '../http/read-body';
import type { AgentTokens } from '../keys/agent-tokens';
import { SessionSearches } from '../mcp/session-searches';
import type { Metrics } from '../metrics/index';
import type { OAuth } from '../oauth/oauth';
import type { Records } from '../records/records';
import type { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import type { OpenTelemetry } from '../tracing/open-telemetry';

type PassedOn =
  | 'catalog'
  | 'rules'
  | 'hub'
  | 'keys'
  | 'audit'
  | 'openConnections'
  | 'approvals'
  | 'decisions'
  | 'approvalWebhook'
  | 'changeLimits'
  | 'gate'
  | 'readiness'
  | 'runs'
  | 'usageReports'
  | 'limits'
  | 'currency'
  | 'hosts'
  | 'origins'
  | 'logger';

export interface OpenServerDeps extends Pick<AppDeps, PassedOn | 'metricsToken'> {
  store: Store;
  tokens: AgentTokens;
  cluster: Cluster;
  searches: Searches;
  calls: Calls;
  handles: HandledCalls;
  console: ConsoleOptions | undefined;
  catalogue: AdminDeps['catalogue'];
  importer: Importer | undefined;
  tracing: OpenTelemetry | undefined;
  accounts: Accounts | undefined;
  records: Records | undefined;
  attention: OpenedAttention | undefined;
  embeddings: Embeddings | undefined;
  metrics: Metrics | undefined;
  /** The options of the running service, for the settings page. */
  fixed: AdminDeps['fixed'];
  shownLimits: AdminDeps['shownLimits'];
  /** Ends the streams of events. */
  stopping: AbortSignal;
}

export function openServer(deps: OpenServerDeps): HttpServer {
  const {
    store,
    hub,
    cluster,
    catalog,
    catalogue,
    calls,
    console,
    importer,
    accounts,
    records,
    attention,
    fixed,
    embeddings,
    metrics,
    readiness,
    stopping,
  } = deps;
  metrics?.watchHub(hub);
  metrics?.watchReadiness(readiness);
  return new HttpServer({
    ...deps,
    ranking: embeddings ?? catalog,
    online: new Online(hub, cluster),
    clusterStatus: new ClusterStatus(hub, cluster, store.node),
    sessionSearches: new SessionSearches(cluster),
    begin: calls.begin,
    invoke: calls.invoke,
    admin: accounts &&
      records &&
      attention && {
        accounts,
        catalogue,
        attention,
        publicUrl: console?.publicUrl,
        records,
        openOAuth: lazyOAuth(deps, records),
        fixed,
        shownLimits: deps.shownLimits,
        importer,
        playground: console?.playground,
        stopping,
      },
    console: console !== undefined,
    bodies: new RequestBodies(deps.limits),
    isTraced: deps.tracing !== undefined,
  });
}

/** The authorization server, opened by the first request that needs it. */
function lazyOAuth({ store, keys, tokens, audit, console }: OpenServerDeps, records: Records): () => Promise<OAuth> {
  let opened: Promise<OAuth> | undefined;
  const open = async () => {
    const { OAuth } = await import('../oauth/oauth');
    return OAuth.open({
      ...{ store, keys, tokens, audit },
      settings: () => records.settings,
      accessTokenSeconds: console?.accessTokenSeconds ?? MAX_ACCESS_TOKEN_SECONDS,
      privateClientHosts: console?.privateClientHosts ?? [],
    });
  };
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
