/** The admin API: docs/protocol.md section 10. While the console is off, it has only what commands use. */
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { People } from '../../accounts/people';
import { requireStorable } from '../../lib/storable';
import type { AppDeps } from '../app-deps';
import type { ClientApi } from '../define-route';
import { InvokeRoute } from '../invoke-route';
import type { RequestEnv } from '../request-env';
import { type Gate, serveRoutes } from '../serve-routes';
import type { AdminRouteDeps } from './admin-route-deps';
import { alertRoutes } from './alerts';
import { approvalRoutes } from './approvals';
import { auditRoutes } from './audit-log';
import { auth } from './auth';
import { admitPrincipal, requireSameRole } from './authorize';
import { connectedAppRoutes } from './connected-apps';
import { connectionClientRoutes } from './connection-clients';
import { connectionRoutes } from './connections';
import type { Dispatch } from './dispatch';
import { EventStreams } from './event-streams';
import { eventRoutes } from './events';
import { explainListingRoutes } from './explain-listing';
import { importRoutes } from './imports';
import { invitationRoutes } from './invitations';
import { invocationRoutes } from './invocations';
import { keptRunRoutes } from './kept-runs';
import { keyRoutes } from './keys';
import { ledgerRoutes } from './ledger';
import { meRoutes } from './me';
import { oauthRoutes } from './oauth';
import { peopleRoutes } from './people';
import { playgroundRoutes } from './playground';
import { reportRoutes } from './reports';
import { reviewRoutes } from './reviews';
import { ruleRoutes } from './rules';
import { runAsKeyRoutes } from './run-as-key';
import { savedViewRoutes } from './saved-views';
import { searchRoutes } from './searches';
import { sessionRoutes } from './sessions';
import { settingsRoutes } from './settings';
import { statsRoutes } from './stats';
import { systemRoutes } from './system';
import { toolkitCallerRoutes } from './toolkit-callers';
import { TopLists } from './top-lists';
import { userRoutes } from './users';

/** Served while the console is off too: commands use them. */
const COMMAND_ROUTES = [
  ...keyRoutes,
  ...reviewRoutes,
  ...ledgerRoutes,
  ...connectionRoutes,
  ...connectionClientRoutes,
  ...approvalRoutes,
] as const;

/** Served while the console is on. */
const CONSOLE_ROUTES = [
  ...runAsKeyRoutes,
  ...playgroundRoutes,
  ...meRoutes,
  ...peopleRoutes,
  ...invitationRoutes,
  ...invocationRoutes,
  ...keptRunRoutes,
  ...statsRoutes,
  ...reportRoutes,
  ...explainListingRoutes,
  ...toolkitCallerRoutes,
  ...searchRoutes,
  ...ruleRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...auditRoutes,
  ...savedViewRoutes,
  ...settingsRoutes,
  ...alertRoutes,
  ...systemRoutes,
  ...importRoutes,
  ...oauthRoutes,
  ...connectedAppRoutes,
  ...eventRoutes,
] as const;

export const ADMIN_ROUTES = [...COMMAND_ROUTES, ...CONSOLE_ROUTES] as const;

/** The types of the admin API, for the console: `GET /v1/keys` -> query, body and answer. */
export type AdminApi = ClientApi<typeof ADMIN_ROUTES>;

/** Lists and reports. Accounts and keys are not compressed: the length of a compressed answer can leak its secrets (BREACH). */
const COMPRESSED = [
  ADMIN_PATHS.invocations,
  ADMIN_PATHS.codeRuns,
  ADMIN_PATHS.stats,
  ADMIN_PATHS.reports,
  ADMIN_PATHS.reviews,
  ADMIN_PATHS.imports,
  ADMIN_PATHS.searches,
  ADMIN_PATHS.sessions,
  ADMIN_PATHS.users,
  ADMIN_PATHS.audit,
  ADMIN_PATHS.ledger,
  ADMIN_PATHS.spending,
];

export function adminApp(deps: AppDeps, dispatch: Dispatch): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const path of [PATHS.keys, PATHS.approvals, ...Object.values(ADMIN_PATHS)]) app.use(`${path}/*`, noStore);
  for (const path of COMPRESSED) app.use(`${path}/*`, compress());
  const gate: Gate<AppDeps> = {
    admit: (context, route) => admitPrincipal(context, route, deps),
    async again(context, { principal, key }) {
      if (key) return { key: await deps.gate.again(key) };
      return principal ? { principal: await requireSameRole(context, principal, deps) } : {};
    },
    checkBody: (body) => requireStorable(body, 'body'),
  };
  serveRoutes(app, COMMAND_ROUTES, deps, gate);
  const { admin } = deps;
  if (!admin) return app.route('/', consoleIsOff());
  app.route('/', auth(admin, deps));
  const routeDeps: AdminRouteDeps = {
    ...deps,
    ...admin,
    people: new People(deps),
    topLists: new TopLists(deps.store.counts),
    eventStreams: new EventStreams({ ...deps, ...admin }),
    invokeRoute: new InvokeRoute(deps),
    dispatch,
  };
  serveRoutes(app, CONSOLE_ROUTES, routeDeps, gate);
  return app;
}

/** Answers contain keys, tokens of links and personal data: no cache may store them. */
const noStore: MiddlewareHandler = (context, next) => {
  context.header('cache-control', 'no-store');
  return next();
};

function consoleIsOff(): Hono {
  const app = new Hono();
  for (const path of Object.values(ADMIN_PATHS)) {
    app.all(`${path}/*`, () => {
      throw new SvcError(
        'NOT_FOUND',
        'The console is off: start the service without --no-console, or with createService({ console: true })',
      );
    });
  }
  return app;
}
