/** Constants of the admin API that the console and the service share. No runtime dependency: the console imports them in a browser. */
import type { SvcErrorCode } from './errors';

export const ADMIN_PATHS = {
  /** Data for the sign-in page; the only one without authentication. */
  console: '/v1/console',
  /** better-auth's own routes: sign in and out, sessions, passkeys, OIDC. */
  auth: '/v1/auth',
  me: '/v1/me',
  people: '/v1/people',
  invitations: '/v1/invitations',
  /** `/export`, `/:id` */
  invocations: '/v1/invocations',
  /** Runs of code, for people. */
  codeRuns: '/v1/code-runs',
  /** `/series`, `/top`, `/now` */
  stats: '/v1/stats',
  /** `/toolkits`, `/toolkits/:id`, `/actions`, `/actions/:id` */
  reports: '/v1/reports',
  searches: '/v1/searches',
  /** `/preview` */
  rules: '/v1/rules',
  /** `/:id`, an encoded URI component: the conversations of agents */
  sessions: '/v1/sessions',
  /** `/:id`, an encoded URI component: the end users that agents name */
  users: '/v1/users',
  /** `/approvals` */
  reviews: '/v1/reviews',
  /** `/preview`, `/:id/approve` */
  imports: '/v1/imports',
  audit: '/v1/audit',
  /** `/:id` */
  views: '/v1/views',
  settings: '/v1/settings',
  /** `/check`, `/targets`, `/targets/:id`, `/targets/:id/test` */
  alerts: '/v1/alerts',
  system: '/v1/system',
  /** `/requests`, `/decisions`: the consent page. */
  oauth: '/v1/oauth',
  /** `/:id` */
  connectedApps: '/v1/connected-apps',
  /** `/:id`, `/links`, `/reseal` */
  keptConnections: '/v1/kept-connections',
  /** `/:id`, that of a toolkit. */
  connectionClients: '/v1/connection-clients',
  /** `/model` */
  playground: '/v1/playground',
  /** `/export` */
  ledger: '/v1/ledger',
  spending: '/v1/spending',
  /** Server-sent events. */
  events: '/v1/events',
} as const;

/** Lists of the console whose filters can be saved. */
export const VIEW_PAGES = ['calls', 'sessions', 'keys', 'audit'] as const;

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

/** `mine`: one's own first, the newest of each group first. `calls` and `refused` are those of the last day. */
export const KEY_SORTS = ['created', 'mine', 'name', 'lastUsed', 'expiry', 'calls', 'refused'] as const;

/** Codes of calls that are refused before they are read, so their action is unknown. */
export const REFUSALS = ['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED'] as const satisfies readonly SvcErrorCode[];

/** `use`: online first, then by calls of 30 days, by success and by name. `mine`: one's own first, then by name. Numbers are those of the last day, of toolkits that one may see them of. */
export const TOOLKIT_SORTS = ['id', 'use', 'mine', 'name', 'actions', 'calls', 'errors', 'p95', 'hints', 'lastSeen'] as const;

/** The calls of so many last days are the most that a preview of rules counts. */
export const MAX_PREVIEW_DAYS = 30;

export const AUDITED = [
  'key.create',
  'key.change',
  'key.rotate',
  'key.revoke',
  'call.cancel',
  'invitation.create',
  'invitation.withdraw',
  'person.join',
  'person.role',
  'person.remove',
  'person.password',
  'person.link',
  'person.unlink',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'session.begin',
  'session.end',
  'session.refuse',
  'settings.change',
  'toolkit.remove',
  'import.preview',
  'import.add',
  'import.approve',
  'actions.change',
  'actions.approve',
  'actions.reject',
  'app.connect',
  'app.disconnect',
  'app.replay',
  'connection.connect',
  'connection.end',
  'connection.refuse',
  'connection.default',
  'connection.client',
  'connection.reseal',
  'approval.approve',
  'approval.deny',
  'approval.withdraw',
  'approval.end',
  'approval.webhook',
  'alert-target.add',
  'alert-target.remove',
] as const;

/** The orders of sessions and end users. `tokens`: input and output together; `duration`: from the first activity to the last. */
export const ACTIVITY_SORTS = ['lastActivity', 'cost', 'searches', 'calls', 'errors', 'tokens', 'duration'] as const;

/** How long the old secret of a rotated key may work, a week: one that works for longer is a second key. */
export const MAX_OVERLAP_SECONDS = 604_800;
