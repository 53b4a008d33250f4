/** What the routes are made of. */
import type { SettingsPage } from '../../protocol/admin';
import type { Limits } from '../../protocol/limits';
import type { Accounts } from '../accounts/accounts';
import type { ChangeLimits } from '../accounts/change-limits';
import type { Audit } from '../audit/audit';
import type { Invoke, Invoker } from '../calls/invoker';
import type { Catalog } from '../catalog/catalog';
import type { Explanation } from '../catalog/search/index';
import type { ClusterStatus } from '../cluster/cluster-status';
import type { Online } from '../cluster/online';
import type { Hub } from '../hub/hub';
import type { AgentTokens } from '../keys/agent-tokens';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import type { AllowedHosts } from '../mcp/allowed-hosts';
import type { SessionSearches } from '../mcp/session-searches';
import type { Records } from '../records/records';
import type { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import type { AgentGate } from './agent-gate';
import type { Readiness } from './readiness';

interface RankingOptions {
  limit: number;
  accept: (id: string) => boolean;
}

interface Ranking {
  /** Which actions fit a query: action ids, best first. */
  search(query: string, options: RankingOptions): string[] | Promise<string[]>;
  /** Why one of them does, or does not. */
  explain(query: string, id: string, options: RankingOptions): Explanation | Promise<Explanation>;
}

/** What the routes know of the metrics. */
interface ReadMetrics {
  text(): Promise<string>;
  searched(ms: number): void;
  requestEnded(route: string, status: number): void;
}

/** The console's part, while it is on. */
export interface AdminDeps {
  accounts: Accounts;
  /** The only origin from which people sign in, if there is one. */
  publicUrl: string | undefined;
  records: Records;
  /** What the service was started with, for people. */
  fixed: SettingsPage['fixed'];
  /** Ends the streams of events. */
  stopping: AbortSignal;
}

export interface AppDeps {
  catalog: Catalog;
  ranking: Ranking;
  hub: Hub;
  online: Online;
  clusterStatus: Pick<ClusterStatus, 'look'>;
  keys: KeyRing;
  store: Pick<Store, 'accounts' | 'audit' | 'catalog' | 'counts' | 'searches' | 'sightings' | 'invocations'>;
  audit: Audit;
  changeLimits: ChangeLimits;
  /** Undefined while the console is off. */
  admin: AdminDeps | undefined;
  gate: AgentGate;
  tokens: Pick<AgentTokens, 'mint'>;
  invoke: Invoke;
  invoker: Pick<Invoker, 'resolve'>;
  readiness: Readiness;
  /** Undefined while they are off. */
  metrics: ReadMetrics | undefined;
  /** Who reads them must send it; undefined asks nobody. */
  metricsToken: string | undefined;
  searches: Pick<Searches, 'searched'>;
  sessionSearches: SessionSearches;
  limits: Limits;
  /** Whether browsers get the console's pages. */
  console: boolean;
  /** Names by which MCP clients may call the service, beside those of this machine itself. */
  hosts: AllowedHosts;
  /** Origins whose pages may call the service from a browser. */
  origins: ReadonlySet<string>;
  logger: Logger;
}
