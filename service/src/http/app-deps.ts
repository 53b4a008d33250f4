/** The dependencies of the routes. */
import type { SettingsPage } from '#sdk/protocol/admin';
import type { SystemReport } from '#sdk/protocol/alert-schemas';
import type { Importer } from '#sdk/protocol/imports';
import type { Limits } from '#sdk/protocol/limits';
import type { Accounts } from '../accounts/accounts';
import type { CatalogueAccess } from '../accounts/catalogue-access';
import type { ChangeLimits } from '../accounts/change-limits';
import type { PlaygroundOptions } from '../accounts/console-options';
import type { ApprovalDecisions } from '../approvals/approval-decisions';
import type { Approvals } from '../approvals/approvals';
import type { WebhookSetting } from '../approvals/webhook-setting';
import type { OpenedAttention } from '../attention/open-attention';
import type { Audit } from '../audit/audit';
import type { Begin, Invoke } from '../calls/call-request';
import type { Calls } from '../calls/calls';
import type { HandledCalls } from '../calls/handles';
import type { Catalog } from '../catalog/catalog';
import type { Explanation, RankingOptions } from '../catalog/search/index';
import type { ClusterStatus } from '../cluster/cluster-status';
import type { Online } from '../cluster/online';
import type { KeptConnections } from '../connections/kept-connections';
import type { Hub } from '../hub/hub';
import type { AgentTokens } from '../keys/agent-tokens';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import type { AllowedHosts } from '../mcp/allowed-hosts';
import type { SessionSearches } from '../mcp/session-searches';
import type { OAuth } from '../oauth/oauth';
import type { Records } from '../records/records';
import type { Rules } from '../rules/rules';
import type { Runs } from '../runs/runs';
import type { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import type { AgentGate } from './agent-gate';
import type { RequestBodies } from './read-body';
import type { Readiness } from './readiness';
import type { UsageReports } from './usage-reports';

interface Ranking {
  /** Ids of the actions that match a query, best first. */
  search(query: string, options: RankingOptions): string[] | Promise<string[]>;
  /** The reasons for the rank of one action. */
  explain(query: string, id: string, options: Required<RankingOptions>): Explanation | Promise<Explanation>;
}

/** The part of the metrics that the routes use. */
interface ReadMetrics {
  text(): Promise<string>;
  searched(ms: number): void;
  requestEnded(route: string, status: number): void;
}

/** The dependencies of the admin routes, while the console is on. */
export interface AdminDeps {
  accounts: Accounts;
  /** The readers of the catalogue's pages. */
  catalogue: CatalogueAccess;
  /** The only origin from which people sign in, if there is one. */
  publicUrl: string | undefined;
  records: Records;
  /** The authorization server, which is loaded when it is needed. */
  openOAuth: () => Promise<OAuth>;
  /** The options of the running service, as text for the settings page. */
  fixed: SettingsPage['fixed'];
  /** The limits of the running service, for its page. */
  shownLimits: SystemReport['limits'];
  attention: OpenedAttention;
  /** Undefined where no process of this node serves a `toolkits.yaml`. */
  importer: Importer | undefined;
  /** The operator's model for the playground. */
  playground: PlaygroundOptions | undefined;
  /** Aborted when the event streams must end. */
  stopping: AbortSignal;
}

export interface AppDeps {
  catalog: Catalog;
  rules: Rules;
  ranking: Ranking;
  hub: Hub;
  online: Online;
  clusterStatus: Pick<ClusterStatus, 'activity'>;
  keys: KeyRing;
  store: Pick<
    Store,
    | 'accounts'
    | 'alerts'
    | 'approvals'
    | 'audit'
    | 'savedViews'
    | 'catalog'
    | 'connect'
    | 'connections'
    | 'counts'
    | 'runs'
    | 'searches'
    | 'sessionSums'
    | 'sightings'
    | 'callers'
    | 'toolkitProfiles'
    | 'invocations'
    | 'listings'
    | 'toolkitProfiles'
    | 'ledger'
    | 'oauth'
    | 'system'
  >;
  audit: Audit;
  /** The connections that the service keeps. Rejects with SERVICE_UNAVAILABLE while the operator has set no secrets key. */
  openConnections: () => Promise<KeptConnections>;
  approvals: Approvals;
  decisions: ApprovalDecisions;
  approvalWebhook: WebhookSetting;
  changeLimits: ChangeLimits;
  /** Undefined while the console is off. */
  admin: AdminDeps | undefined;
  gate: AgentGate;
  tokens: Pick<AgentTokens, 'mint' | 'stateKey'>;
  begin: Begin;
  invoke: Invoke;
  calls: Pick<Calls, 'resolve' | 'cancel'>;
  handles: HandledCalls;
  /** Undefined where the service runs no code. */
  runs: Pick<Runs, 'start' | 'follow' | 'cancel' | 'contentOf'> | undefined;
  readiness: Readiness;
  /** Undefined while metrics are off. */
  metrics: ReadMetrics | undefined;
  /** The bearer token that metrics require. Undefined: none. */
  metricsToken: string | undefined;
  /** True if the application has tracing on. */
  isTraced: boolean;
  searches: Pick<Searches, 'searched'>;
  sessionSearches: SessionSearches;
  usageReports: UsageReports;
  limits: Limits;
  /** The currency of every price, budget and entry of the ledger. */
  currency: string;
  bodies: RequestBodies;
  /** True if the console's pages are served. */
  console: boolean;
  /** Host names that MCP clients may use, in addition to the names of this machine. */
  hosts: AllowedHosts;
  /** Origins whose pages may call the service from a browser. */
  origins: ReadonlySet<string>;
  logger: Logger;
}
