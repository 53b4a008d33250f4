/** Every page and its path. Pages are loaded when they are opened. People who are not signed in are redirected to the sign-in page. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { meQuery, whoIsSignedIn } from './api/me';
import { queryClient } from './api/query-client';
import { ApiError } from './api/request';
import { auditSearch } from './pages/audit/audit-search';
import { callsSearch } from './pages/calls/calls-search';
import { connectSearch } from './pages/connect/connect-search';
import { keysSearch } from './pages/keys/keys-search';
import { NotFoundPage } from './pages/not-found-page';
import { overviewSearch } from './pages/overview/overview-search';
import { reviewsSearch } from './pages/review/reviews-search';
import { searchPageSearch } from './pages/search/search-page-search';
import { sessionsSearch } from './pages/sessions/sessions-search';
import { spendingSearch } from './pages/spending/spending-search';
import { toolkitsSearch } from './pages/toolkits/toolkits-search';
import { usersSearch } from './pages/users/users-search';
import { isOutsideRouter } from './parts/outside-router';
import { RouteError } from './parts/route-error';
import { RoutePending } from './parts/route-pending';
import { ConsoleShell } from './shell/shell';

/** The service sends the page of the playground with a policy of its own, which holds for the whole document. */
const PLAYGROUND = '/playground';
const documentPath = location.pathname;

const root = createRootRoute({
  beforeLoad({ location: { pathname, href }, preload }) {
    if (!preload && (pathname === PLAYGROUND) !== (documentPath === PLAYGROUND)) throw redirect({ href, reloadDocument: true });
  },
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  /** `error` comes from the OpenID provider's callback. */
  validateSearch: ({ from, error }: Record<string, unknown>): { from?: string; error?: string } => ({
    ...(typeof from === 'string' && isPageToReturnTo(from) && { from }),
    ...(typeof error === 'string' && { error }),
  }),
  async beforeLoad({ search: { from = '/' }, preload }) {
    if (!preload && (await whoIsSignedIn())) throw redirect({ href: from, replace: true, reloadDocument: isOutsideRouter(from) });
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page'), 'SignInPage'),
});

/** True if the path belongs to this origin, which excludes `//host` and `/\host`, and is not the sign-in page, which would redirect to itself. */
function isPageToReturnTo(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/^\/sign-in(?![^/?#])/.test(path);
}

/** The token of the invitation is in the URL fragment, which browsers do not send. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/join/join-page'), 'JoinPage'),
});

/** The pages for people who are signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: ConsoleShell,
  async beforeLoad({ location }) {
    try {
      return { me: await queryClient.ensureQueryData(meQuery) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { from: location.href } });
      throw error;
    }
  },
});

const page = <Path extends string>(path: Path) => ({ getParentRoute: () => signedIn, path });

const overview = createRoute({
  ...page('/'),
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page'), 'OverviewPage'),
});
const start = createRoute({
  ...page('/start'),
  validateSearch: ({ wanted }: Record<string, unknown>): { wanted?: string } =>
    typeof wanted === 'string' && wanted !== '' ? { wanted } : {},
  component: lazyRouteComponent(() => import('./pages/start/start-page'), 'StartPage'),
});
const connect = createRoute({
  ...page('/connect'),
  validateSearch: connectSearch,
  component: lazyRouteComponent(() => import('./pages/connect/connect-page'), 'ConnectPage'),
});
const playground = createRoute({
  ...page('/playground'),
  validateSearch: ({ session }: Record<string, unknown>): { session?: string } =>
    typeof session === 'string' && session !== '' ? { session } : {},
  component: lazyRouteComponent(() => import('./pages/playground/playground-page'), 'PlaygroundPage'),
});
const search = createRoute({
  ...page('/search'),
  validateSearch: searchPageSearch,
  component: lazyRouteComponent(() => import('./pages/search/search-page'), 'SearchPage'),
});
const action = createRoute({
  ...page('/actions/$id'),
  validateSearch: ({ call }: Record<string, unknown>): { call?: string } => (typeof call === 'string' ? { call } : {}),
  component: lazyRouteComponent(() => import('./pages/action/action-page'), 'ActionPage'),
});
const toolkits = createRoute({
  ...page('/toolkits'),
  validateSearch: toolkitsSearch,
  component: lazyRouteComponent(() => import('./pages/toolkits/toolkits-page'), 'AllToolkitsPage'),
});
const toolkit = createRoute({
  ...page('/toolkits/$id'),
  component: lazyRouteComponent(() => import('./pages/toolkit/toolkit-page'), 'ToolkitPage'),
});
/** Not below /toolkits, where every word is the id of a toolkit. */
const addToolkit = createRoute({
  ...page('/add-toolkit'),
  component: lazyRouteComponent(() => import('./pages/add-toolkit/add-toolkit-page'), 'AddToolkitPage'),
});
const demand = createRoute({
  ...page('/demand'),
  validateSearch: ({ show }: Record<string, unknown>): { show?: 'all' } => (show === 'all' ? { show } : {}),
  component: lazyRouteComponent(() => import('./pages/demand/demand-page'), 'DemandPage'),
});
const calls = createRoute({
  ...page('/calls'),
  validateSearch: callsSearch,
  component: lazyRouteComponent(() => import('./pages/calls/calls-page'), 'CallsPage'),
});
const call = createRoute({ ...page('/calls/$id'), component: lazyRouteComponent(() => import('./pages/call/call-page'), 'CallPage') });
const sessions = createRoute({
  ...page('/sessions'),
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page'), 'AllSessionsPage'),
});
const endUsers = createRoute({
  ...page('/users'),
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('./pages/users/users-page'), 'AllUsersPage'),
});
const endUser = createRoute({
  ...page('/users/$id'),
  component: lazyRouteComponent(() => import('./pages/user/user-page'), 'EndUserPage'),
});
const session = createRoute({
  ...page('/sessions/$id'),
  component: lazyRouteComponent(() => import('./pages/session/session-page'), 'AgentSessionPage'),
});
const approvals = createRoute({
  ...page('/approvals'),
  validateSearch: ({ show }: Record<string, unknown>): { show?: 'all' } => (show === 'all' ? { show } : {}),
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page'), 'AllApprovalsPage'),
});
const approval = createRoute({
  ...page('/approvals/$id'),
  component: lazyRouteComponent(() => import('./pages/approval/approval-page'), 'ApprovalPage'),
});
const runs = createRoute({
  ...page('/runs'),
  validateSearch: ({ session }: Record<string, unknown>): { session?: string } => (typeof session === 'string' ? { session } : {}),
  component: lazyRouteComponent(() => import('./pages/runs/runs-page'), 'AllRunsPage'),
});
const run = createRoute({ ...page('/runs/$id'), component: lazyRouteComponent(() => import('./pages/run/run-page'), 'RunPage') });
const keys = createRoute({
  ...page('/keys'),
  validateSearch: keysSearch,
  component: lazyRouteComponent(() => import('./pages/keys/keys-page'), 'KeysPage'),
});
const connections = createRoute({
  ...page('/connections'),
  component: lazyRouteComponent(() => import('./pages/connections/connections-page'), 'ConnectionsPage'),
});
const spending = createRoute({
  ...page('/spending'),
  validateSearch: spendingSearch,
  component: lazyRouteComponent(() => import('./pages/spending/spending-page'), 'SpendingPage'),
});
const review = createRoute({
  ...page('/review'),
  validateSearch: reviewsSearch,
  component: lazyRouteComponent(() => import('./pages/review/review-page'), 'ReviewPage'),
});
const people = createRoute({
  ...page('/people'),
  component: lazyRouteComponent(() => import('./pages/people/people-page'), 'AllPeoplePage'),
});
const audit = createRoute({
  ...page('/audit'),
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page'), 'AuditLogPage'),
});
const alerts = createRoute({
  ...page('/alerts'),
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page'), 'AllAlertsPage'),
});
const system = createRoute({
  ...page('/system'),
  component: lazyRouteComponent(() => import('./pages/system/system-page'), 'ServiceSystemPage'),
});
const settings = createRoute({
  ...page('/settings'),
  component: lazyRouteComponent(() => import('./pages/settings/settings-page'), 'ServiceSettingsPage'),
});
const account = createRoute({
  ...page('/account'),
  /** `error` comes from the OpenID provider's callback. */
  validateSearch: ({ error }: Record<string, unknown>): { error?: string } => ({ ...(typeof error === 'string' && { error }) }),
  component: lazyRouteComponent(() => import('./pages/account/account-page'), 'AccountPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    join,
    signedIn.addChildren([
      overview,
      start,
      playground,
      connect,
      search,
      action,
      toolkits,
      toolkit,
      addToolkit,
      demand,
      calls,
      call,
      sessions,
      session,
      endUsers,
      endUser,
      approvals,
      approval,
      runs,
      run,
      keys,
      connections,
      spending,
      review,
      people,
      audit,
      alerts,
      system,
      settings,
      account,
    ]),
  ]),
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteError,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Otherwise the router passes on parameters that `validateSearch` leaves out.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The reason why the sign-in page is shown. */
    signedOut?: 'by choice' | 'session ended';
    /** The search page was opened with its shortcut, to type. */
    typing?: true;
  }
}
