import type { Importer } from '#sdk/protocol/imports';
import type { Accounts } from '../accounts/accounts';
import type { ConsoleOptions } from '../accounts/console-options';
import type { Calls } from '../calls/calls';
import type { Cluster } from '../cluster/cluster';
import { ClusterStatus } from '../cluster/cluster-status';
import { Online } from '../cluster/online';
import type { Embeddings } from '../embeddings/embeddings';
import type { AdminDeps, AppDeps } from '../http/app-deps';
import { HttpServer } from '../http/http-server';
import { RequestBodies } from '../http/read-body';
import { SessionSearches } from '../mcp/session-searches';
import type { Metrics } from '../metrics/index';
import type { Records } from '../records/records';
import type { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import type { OpenTelemetry } from '../tracing/open-telemetry';

type PassedOn =
  | 'catalog'
  | 'hub'
  | 'keys'
  | 'audit'
  | 'changeLimits'
  | 'gate'
  | 'tokens'
  | 'readiness'
  | 'limits'
  | 'currency'
  | 'hosts'
  | 'origins'
  | 'logger';

export interface OpenServerDeps extends Pick<AppDeps, PassedOn | 'metricsToken'> {
  store: Store;
  cluster: Cluster;
  searches: Searches;
  calls: Calls;
  console: ConsoleOptions | undefined;
  importer: Importer | undefined;
  tracing: OpenTelemetry | undefined;
  accounts: Accounts | undefined;
  records: Records | undefined;
  embeddings: Embeddings | undefined;
  metrics: Metrics | undefined;
  /** The options of the running service, for the settings page. */
  fixed: AdminDeps['fixed'];
  /** Ends the streams of events. */
  stopping: AbortSignal;
}

export function openServer(deps: OpenServerDeps): HttpServer {
  const { store, hub, cluster, catalog, calls, console, importer, accounts, records, fixed, embeddings, metrics, readiness, stopping } =
    deps;
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
    admin: accounts && records && { accounts, publicUrl: console?.publicUrl, records, fixed, importer, stopping },
    console: console !== undefined,
    bodies: new RequestBodies(deps.limits),
    isTraced: deps.tracing !== undefined,
  });
}
