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
  /** `/:id`, an encoded URI component */
  sessions: '/v1/sessions',
  /** `/approvals` */
  reviews: '/v1/reviews',
  /** `/preview`, `/:id/approve` */
  imports: '/v1/imports',
  audit: '/v1/audit',
  settings: '/v1/settings',
  /** `/requests`, `/decisions`: the consent page. */
  oauth: '/v1/oauth',
  /** `/:id` */
  connectedApps: '/v1/connected-apps',
  /** `/:id`, `/links`, `/reseal` */
  keptConnections: '/v1/kept-connections',
  /** `/:id`, that of a toolkit. */
  connectionClients: '/v1/connection-clients',
  /** `/export` */
  ledger: '/v1/ledger',
  spending: '/v1/spending',
  /** Server-sent events. */
  events: '/v1/events',
} as const;

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

/** Codes of calls that are refused before they are read, so their action is unknown. */
export const REFUSALS = ['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED'] as const satisfies readonly SvcErrorCode[];

/** `mine`: one's own first, then by name. Numbers are those of the last day, of toolkits that one may see them of. */
export const TOOLKIT_SORTS = ['id', 'mine', 'name', 'actions', 'calls', 'errors', 'p95', 'hints', 'lastSeen'] as const;

/** The calls of so many last days are the most that a preview of rules counts. */
export const MAX_PREVIEW_DAYS = 30;

export const AUDITED = [
  'key.create',
  'key.change',
  'key.rotate',
  'key.revoke',
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
] as const;
