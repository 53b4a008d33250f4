/** The admin API: docs/protocol.md section 10. While the console is off, all of it but `/v1/keys` is not there. */
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { ADMIN_PATHS } from '../../../protocol/admin';
import { SvcError } from '../../../protocol/errors';
import { PATHS } from '../../../protocol/http';
import type { AppDeps } from '../app-deps';
import type { RequestEnv } from '../request-env';
import { auditRoute } from './audit-log';
import { authRoutes } from './auth';
import { consoleInfoRoute } from './console-info';
import { eventsRoute } from './events';
import { invitationRoutes } from './invitations';
import { invocationRoutes } from './invocations';
import { keyRoutes } from './keys';
import { meRoute } from './me';
import { peopleRoutes } from './people';
import { reportRoutes } from './reports';
import { type Dispatch, runAsKeyRoutes } from './run-as-key';
import { searchReportRoutes } from './searches';
import { settingsRoutes } from './settings';
import { statsRoutes } from './stats';

/** Lists and reports. Not accounts and keys: their answers hold secrets, whose length compression could tell. */
const READ_AT_LENGTH = [ADMIN_PATHS.invocations, ADMIN_PATHS.stats, ADMIN_PATHS.reports, ADMIN_PATHS.searches, ADMIN_PATHS.audit];

export function adminRoutes(deps: AppDeps, dispatch: Dispatch): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const path of [PATHS.keys, ...Object.values(ADMIN_PATHS)]) app.use(`${path}/*`, notStored);
  for (const path of READ_AT_LENGTH) app.use(`${path}/*`, compress());
  app.route('/', keyRoutes(deps));
  const { admin } = deps;
  if (!admin) return app.route('/', whileOff());
  app.route('/', consoleInfoRoute(deps, admin));
  app.route('/', authRoutes(admin));
  app.route('/', meRoute(deps, admin));
  app.route('/', peopleRoutes(deps, admin));
  app.route('/', invitationRoutes(deps, admin));
  app.route('/', runAsKeyRoutes(deps, dispatch));
  app.route('/', invocationRoutes(deps, admin));
  app.route('/', statsRoutes(deps));
  app.route('/', reportRoutes(deps, admin));
  app.route('/', searchReportRoutes(deps, admin));
  app.route('/', auditRoute(deps));
  app.route('/', settingsRoutes(deps, admin));
  app.route('/', eventsRoute(deps, admin));
  return app;
}

/** Keys, tokens of links, and whatever else is for one person alone: no cache on the way may have it. */
const notStored: MiddlewareHandler = (context, next) => {
  context.header('cache-control', 'no-store');
  return next();
};

function whileOff(): Hono {
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
