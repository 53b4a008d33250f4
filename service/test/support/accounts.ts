/** Accounts behind a real HTTP server with little else; everything is closed when the test ends. */
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { AcceptInvitationRequest, Role } from '#sdk/protocol/admin';
import { Accounts, type AccountsDeps } from '../../src/accounts/accounts';
import { ChangeLimits } from '../../src/accounts/change-limits';
import { Invitations } from '../../src/accounts/invitations';
import { People } from '../../src/accounts/people';
import { Audit } from '../../src/audit/audit';
import { KeyRing } from '../../src/keys/key-ring';
import type { Logger } from '../../src/lib/logger';
import { problemAnswer, toSvcError } from '../../src/lib/problem';
import { openSqliteStore } from '../../src/store/sqlite/open';
import type { Store } from '../../src/store/store';
import { CookieJar } from './cookie-jar';

export const PASSWORD = 'seven green bottles';

export interface TestAccounts {
  url: string;
  store: Store;
  keys: KeyRing;
  accounts: Accounts;
  invitations: Invitations;
  people: People;
  logged: string[];
  browser(): CookieJar;
  /** A person with `PASSWORD`, in the browser that signed them up. */
  join(email: string, role?: Role): Promise<CookieJar>;
}

export async function startAccounts(
  options: Partial<Pick<AccountsDeps, 'publicUrl' | 'oidc' | 'trustedProxies'>> = {},
  openStore: () => Promise<Store> = () => openSqliteStore({ path: ':memory:' }),
): Promise<TestAccounts> {
  const store = await openStore();
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = {
    info: log,
    warn: log,
    error: (fields: { error?: unknown }, message) => log({ ...fields, error: String(fields.error) }, message),
  };
  const keys = new KeyRing(store);
  const audit = new Audit(store.audit);
  const accounts = new Accounts({ store, keys, audit, changeLimits: new ChangeLimits(store), logger, ...options });
  const invitations = new Invitations(store.accounts);
  const people = new People({ store, keys, audit });
  const app = new Hono();
  const from = (context: Context) => ({ request: context.req.raw, clientAddress: getConnInfo(context).remote.address ?? '' });
  app.onError((error) => {
    const { status, headers, body } = problemAnswer(toSvcError(error, logger, 'test'));
    return new Response(body, { status, headers });
  });
  app.all('/v1/auth/*', (context) => accounts.handle(context.req.raw, from(context).clientAddress));
  app.all('/who', async (context) => context.json(await accounts.principal(context.req.raw)));
  app.post('/preview', async (context) => {
    await accounts.admitLinkHolder(from(context));
    return context.json(await accounts.previewInvitation((await context.req.json()).token, from(context)));
  });
  app.post('/accept', async (context) => {
    await accounts.admitLinkHolder(from(context));
    const { person, headers } = await accounts.accept(await context.req.json<AcceptInvitationRequest>(), from(context));
    return context.json(person, { headers });
  });
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started));
  });
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    await store.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = () => new CookieJar(url);
  return {
    url,
    store,
    keys,
    accounts,
    invitations,
    people,
    logged,
    browser,
    async join(email, role = 'member') {
      const { token } = await invitations.invite({ role });
      const used = browser();
      const answer = await used.post(
        '/accept',
        { token, name: email.split('@')[0], email, password: PASSWORD },
        { origin: options.publicUrl ?? url },
      );
      if (!answer.ok) throw new Error(await answer.text());
      return used;
    },
  };
}
