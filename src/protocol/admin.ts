/**
 * The admin side of the wire: what the console shows and changes, for signed-in people and for admin keys. docs/protocol.md section 10 is the
 * normative text. No runtime dependency: the console imports this in a browser. Types of answers come from the zod schemas in `admin-schemas.ts`;
 * the interfaces here are part of the package's public types, which must not name zod.
 *
 * Access: an *owner* and an admin key see and change everything; a *member* sees their own keys, the toolkits of these keys, and the calls of both.
 *         Hidden things are NOT_FOUND; actions for owners only are NOT_PERMITTED.
 * Times:  ISO 8601, UTC.
 * Pages:  `nextCursor` is there when there is more; pass it as `cursor`.
 */
import type { ACTIVITY_SORTS, KEY_SORTS, KEY_STATES, TOOLKIT_SORTS, VIEW_PAGES } from './admin-constants';
import type { AlertMute, AlertRules } from './alerts';
import type { AllowList, Budget } from './http';
import type { Rule, RuleDefaults } from './rules';

export { ACTIVITY_SORTS, ADMIN_PATHS, KEY_SORTS, KEY_STATES, REFUSALS, TOOLKIT_SORTS } from './admin-constants';
export type {
  AcceptInvitationRequest,
  ActionReport,
  ActionSummariesPage,
  AuditEntry,
  AuditPage,
  CallCounts,
  ChangeEvent,
  ConsoleInfo,
  InvitationPreview,
  InvitationsPage,
  InvocationDetail,
  InvocationInfo,
  InvocationsPage,
  KeptContent,
  LedgerEntriesPage,
  LedgerItem,
  ListedPerson,
  ListingExplanation,
  Me,
  OwnedKey,
  OwnedKeysPage,
  PeoplePage,
  RemovedToolkit,
  ReplicaReport,
  Review,
  ReviewsPage,
  SearchReport,
  SearchReportsPage,
  SessionEntry,
  SessionPage,
  Spending,
  StatsNow,
  StatsSeries,
  StatsTop,
  StatsTopBy,
  StatsTopOrder,
  TimelineEntry,
  ToolkitCallers,
  ToolkitErrorsPage,
  ToolkitReport,
  ToolkitReportDetail,
  ToolkitReportsPage,
} from './admin-schemas';
export type { AuthorizationDecision, AuthorizationRequest, ConnectedApp, ConnectedAppsPage } from './connected-app-schemas';
export type {
  ConnectionClient,
  ConnectionInfo,
  ConnectLinkRequest,
  CreatedConnectLink,
  EndedConnection,
  KeptConnectionsPage,
  ResealedConnections,
  SetConnectionClientRequest,
} from './kept-connection-schemas';
export type { RulePreview, RulePreviewRequest } from './rule-preview-schemas';
export type { ChangeViewRequest, NewViewRequest, SavedView, SavedViewsPage } from './saved-view-schemas';
export type { ModelTokensInfo, SessionInfo, SessionsPage, UserDetail, UserInfo, UsersPage } from './session-schemas';

export type ActivitySort = (typeof ACTIVITY_SORTS)[number];
export type KeyState = (typeof KEY_STATES)[number];
export type KeySort = (typeof KEY_SORTS)[number];
export type ViewPage = (typeof VIEW_PAGES)[number];
export type ToolkitSort = (typeof TOOLKIT_SORTS)[number];

export type Role = 'owner' | 'member';

export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: string;
  /** The last request of any of their sessions, to the minute. */
  lastSeenAt?: string;
}

export interface ChangedPerson extends Person {
  /** Ids of the keys that were revoked with the change. */
  revokedKeys: string[];
}

export interface RemovedPerson {
  /** Ids of the keys that were revoked with the account. */
  revokedKeys: string[];
}

/** A one-time link: for a new account, or, with `person`, for a new password of an account. */
export interface Invitation {
  id: string;
  role: Role;
  /** The invited person's name, as the inviter wrote it. */
  name?: string;
  /** Id of the account that gets a new password. */
  person?: string;
  createdAt: string;
  expiresAt: string;
}

export interface CreatedInvitation extends Invitation {
  /** Shown this once: the link is `<url>/join#<token>`; browsers send nothing after the # to a server. */
  token: string;
}

/** Invites to a new account, or to a new password of `person`, whose role it does not change. */
export type CreateInvitationRequest = { role: Role; name?: string; expiresInDays?: number } | { person: string; expiresInDays?: number };

/** `PATCH /v1/keys/{id}`. */
export interface ChangeKeyRequest {
  name?: string;
  /** null allows everything. */
  allow?: AllowList | null;
  /** Null means without limit. */
  callsPerMinute?: number | null;
  /** Null takes it away. Only owners and admin keys may send it. */
  budget?: Budget | null;
  /** All rules of the key; null takes them away. */
  rules?: Rule[] | null;
  /** Whether an agent key may run code. Only owners and admin keys may send it. */
  code?: boolean;
  /** How users of the app connect their accounts; null takes a setting away. */
  connect?: { returnUrl?: string | null; webhookUrl?: string | null };
}

/** The author of a change: a person with an account, an admin key, or a command on the data directory or database. */
export interface Actor {
  /** `address`: a network address, without an account. */
  kind: 'person' | 'key' | 'command' | 'address';
  /** Account or key; absent otherwise. */
  id?: string;
  name: string;
}

export type ContentKept = 'off' | 'errors' | 'all';
export type SearchTexts = 'off' | 'unmet' | 'all';
export type WantedTexts = 'members' | 'public';
export type ConnectApps = 'everyone' | 'owners' | 'off';

/** Settings that an owner can change while the service runs. */
export interface Settings {
  /** Stored payloads and results of calls: of none, of those that failed, of all. */
  content: ContentKept;
  /** The largest stored payload or result, in bytes. */
  contentBytes: number;
  /** Names of members whose values are never stored, in any case, at any depth of payloads and results. */
  redact: string[];
  /** Days after which records of calls are deleted. */
  retentionDays: number;
  /** Stored texts of searches: of none, of those that found nothing, of all. */
  searchTexts: SearchTexts;
  /** Readers of the catalogue who see what agents searched for in vain. Of these texts, strangers see those of several agent keys. */
  wantedTexts: WantedTexts;
  /** The page of a trace, with `{traceId}` in place of its id. Empty: no links to traces. */
  traceUrl: string;
  /** People who may connect apps by OAuth. Apps that are connected stay connected. */
  connectApps: ConnectApps;
  /** Hosts of the apps that may be connected, as `ConnectedApp.client.host` has them; empty: any. */
  connectAppHosts: string[];
  /** Effects by hint where no rule of a key matches. The stricter of these and those of the service's options count. */
  ruleDefaults: RuleDefaults;
  /** The rules of alerts; a kind that is absent has its defaults. */
  alertRules: AlertRules;
  /** Alerts that are not shown and not sent for a time. */
  alertMutes: AlertMute[];
}

export const DEFAULT_SETTINGS: Settings = {
  content: 'off',
  contentBytes: 16_384,
  redact: [
    'password',
    'passwd',
    'secret',
    'token',
    'access_token',
    'refresh_token',
    'api_key',
    'apiKey',
    'authorization',
    'cookie',
    'card_number',
  ],
  retentionDays: 30,
  searchTexts: 'off',
  wantedTexts: 'members',
  traceUrl: '',
  connectApps: 'everyone',
  connectAppHosts: [],
  ruleDefaults: {},
  alertRules: {},
  alertMutes: [],
};

export interface SettingsPage {
  settings: Settings;
  /** The options of the running service, and what they mean. */
  fixed: { name: string; value: string; meaning: string }[];
}
