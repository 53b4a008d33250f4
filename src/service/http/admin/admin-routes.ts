/** The admin API: docs/protocol.md section 11. While the console is off, all of it but `/v1/keys` is not there. */
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { ADMIN_PATHS } from '../../../protocol/admin';
import { SvcError } from '../../../protocol/errors';
import { PATHS } from '../../../protocol/http';
import type { AppParts } from '../app-parts';
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

export function adminRoutes(parts: AppParts, dispatch: Dispatch): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const path of [PATHS.keys, ...Object.values(ADMIN_PATHS)]) app.use(`${path}/*`, notStored);
  for (const path of READ_AT_LENGTH) app.use(`${path}/*`, compress());
  app.route('/', keyRoutes(parts));
  const { admin } = parts;
  if (!admin) return app.route('/', whileOff());
  app.route('/', consoleInfoRoute(parts, admin));
  app.route('/', authRoutes(admin));
  app.route('/', meRoute(parts, admin));
  app.route('/', peopleRoutes(parts, admin));
  app.route('/', invitationRoutes(parts, admin));
  app.route('/', runAsKeyRoutes(parts, dispatch));
  app.route('/', invocationRoutes(parts, admin));
  app.route('/', statsRoutes(parts));
  app.route('/', reportRoutes(parts, admin));
  app.route('/', searchReportRoutes(parts, admin));
  app.route('/', auditRoute(parts));
  app.route('/', settingsRoutes(parts, admin));
  app.route('/', eventsRoute(parts, admin));
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
