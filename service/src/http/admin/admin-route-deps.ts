import type { People } from '../../accounts/people';
import type { AdminDeps, AppDeps } from '../app-deps';
import type { InvokeRoute } from '../invoke-route';
import type { Dispatch } from './dispatch';
import type { EventStreams } from './event-streams';
import type { TopLists } from './top-lists';

/** The dependencies of the routes that are served while the console is on. */
export interface AdminRouteDeps extends AppDeps, AdminDeps {
  people: People;
  topLists: TopLists;
  eventStreams: EventStreams;
  invokeRoute: InvokeRoute;
  dispatch: Dispatch;
}
