/** The address of every page of the console, for tests that hold for all of them. */
export interface ConsolePage {
  name: string;
  path: string;
}

/** @param shown ids of existing items to open */
export function everyPage({
  action,
  toolkit,
  call,
  session,
  user,
}: {
  action: string;
  toolkit: string;
  call: string;
  session: string;
  user: string;
}): ConsolePage[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'start', path: '/start' },
    { name: 'connect', path: '/connect' },
    { name: 'playground', path: '/playground' },
    { name: 'search', path: '/search' },
    { name: 'action', path: `/actions/${action}` },
    { name: 'toolkits', path: '/toolkits' },
    { name: 'toolkit', path: `/toolkits/${toolkit}` },
    { name: 'add a toolkit', path: '/add-toolkit' },
    { name: 'demand', path: '/demand' },
    { name: 'calls', path: '/calls' },
    { name: 'call', path: `/calls/${call}` },
    { name: 'approvals', path: '/approvals' },
    { name: 'runs of code', path: '/runs' },
    { name: 'sessions', path: '/sessions' },
    { name: 'session', path: `/sessions/${encodeURIComponent(session)}` },
    { name: 'users', path: '/users' },
    { name: 'user', path: `/users/${encodeURIComponent(user)}` },
    { name: 'keys', path: '/keys' },
    { name: 'my connections', path: '/connections' },
    { name: 'spending', path: '/spending' },
    { name: 'review', path: '/review' },
    { name: 'people', path: '/people' },
    { name: 'audit', path: '/audit' },
    { name: 'alerts', path: '/alerts' },
    { name: 'system', path: '/system' },
    { name: 'settings', path: '/settings' },
    { name: 'account', path: '/account' },
  ];
}
