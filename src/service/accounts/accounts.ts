/**
 * Accounts of people: sign-in, sessions, invitations. The account library is loaded by the first request that needs it.
 *
 * Errors: NOT_SIGNED_IN, SIGN_IN_FAILED, RATE_LIMITED, NOT_PERMITTED (a request that another site may have made the browser send), NOT_FOUND (an
 *         invitation that cannot be used; a route that is not there), CONFLICT (an e-mail that has an account), INVALID_REQUEST (a weak password),
 *         and those of keys for a bearer key.
 */
import { randomBytes } from 'node:crypto';
import { type AcceptInvitationRequest, ADMIN_PATHS, type ConsoleInfo, type InvitationPreview } from '../../protocol/admin';
import { SvcError } from '../../protocol/errors';
import type { Audit } from '../audit/audit';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import { parseOrThrow } from '../lib/parse';
import { AUTH_SECRET, type InvitationRecord, type PersonRecord } from '../store/console-store';
import type { Store } from '../store/store';
import { Attempts } from './attempts';
import type { Auth, SignedIn } from './auth';
import { authHeaders, authRequest, bodyOf, type ClientRequest } from './auth-request';
import { AUTH_ROUTES, type AuthRoute } from './auth-routes';
import type { ChangeLimits } from './change-limits';
import type { ConsoleOptions } from './console-options';
import { requireSameOrigin } from './csrf';
import { Invitations, type MadeInvitation } from './invitations';
import { type EndedLogins, Logins } from './logins';
import { checkNewPassword } from './new-password';
import { newPerson } from './new-person';
import { OwnAudit } from './own-audit';
import { mayUsePasskeys } from './passkey-place';
import { hashPassword } from './password-hash';
import type { Principal } from './principal';
import { hasSessionCookie } from './session-cookie';

export interface AccountsDeps extends ConsoleOptions {
  store: Pick<Store, 'accounts' | 'settings' | 'counter'>;
  keys: Pick<KeyRing, 'authenticate'>;
  audit: Audit;
  changeLimits: ChangeLimits;
  logger: Logger;
}

export class Accounts {
  readonly signIn: ConsoleInfo['signIn'];
  readonly #deps: AccountsDeps;
  readonly #publicUrl: string | undefined;
  readonly #attempts: Attempts;
  readonly #invitations: Invitations;
  readonly #logins: Logins;
  readonly #ownAudit: OwnAudit;
  readonly #listeners: (() => void)[] = [];
  #auth: Promise<Auth> | undefined;
  /** A separate instance: it loads the provider's metadata when it is created, and other requests must not wait for that. */
  #oidcAuth: Promise<Auth> | undefined;

  constructor(deps: AccountsDeps) {
    const { store, publicUrl, oidc } = deps;
    this.#deps = deps;
    this.#publicUrl = publicUrl;
    this.#attempts = new Attempts(store);
    this.#invitations = new Invitations(store.accounts);
    this.#logins = new Logins(store.accounts);
    this.#ownAudit = new OwnAudit(deps.audit, this.#logins);
    this.signIn = {
      passkeys: mayUsePasskeys(publicUrl),
      ...(oidc && { oidc: { name: oidc.name ?? new URL(oidc.issuer).host } }),
    };
  }

  /** Called when a sign-in has created an account, which no route of the admin API reports. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Handles all routes below `/v1/auth`. */
  async handle(request: Request, clientAddress: string): Promise<Response> {
    const path = new URL(request.url).pathname.slice(ADMIN_PATHS.auth.length);
    const route = AUTH_ROUTES[`${request.method} ${path}`];
    if (!route || (route.oidc && !this.#deps.oidc))
      throw new SvcError('NOT_FOUND', `There is no ${request.method} ${ADMIN_PATHS.auth}${path}`);
    requireSameOrigin(request, this.#publicUrl);
    const caller = { request, clientAddress };
    const body = await bodyOf(request, route);
    await this.#countAttempt(route, clientAddress, body);
    const auth = await (route.oidc ? this.#openOidcAuth() : this.#openAuth());
    const writeChange = await this.#beforeChange(auth, caller, route.changes, body);
    const response = await auth.answer(authRequest(caller, route, body, this.#publicUrl));
    await writeChange?.();
    await this.#writeSignIn(auth, caller, route, response);
    response.headers.set('cache-control', 'no-store');
    return response;
  }

  /** Returns the principal of a request. A change with a session must come from the console's own pages. */
  async principal(request: Request): Promise<Principal> {
    const authorization = request.headers.get('authorization');
    if (authorization !== null) {
      const { id, name } = await this.#deps.keys.authenticate(authorization, 'admin');
      return { kind: 'key', id, name, role: 'owner' };
    }
    if (!hasSessionCookie(request, this.#publicUrl)) throw notSignedIn();
    requireSameOrigin(request, this.#publicUrl);
    const auth = await this.#openAuth();
    const person = await auth.signedIn(authHeaders({ request, clientAddress: '' }, this.#publicUrl));
    if (!person) throw notSignedIn();
    return { kind: 'person', id: person.id, name: person.name, role: person.role };
  }

  /** Creates the link for the first owner and revokes the previous one. Resolves with undefined when an account exists. */
  setupInvitation(): Promise<MadeInvitation | undefined> {
    return this.#invitations.setUp();
  }

  /** Counts a use of a one-time link. Call this before its body is read. */
  async admitLinkHolder({ request, clientAddress }: ClientRequest): Promise<void> {
    requireSameOrigin(request, this.#publicUrl);
    await this.#attempts.link(clientAddress);
  }

  async previewInvitation(token: string): Promise<InvitationPreview> {
    const { role, personId } = await this.#invitations.usable(token);
    if (personId === null) return { role, first: (await this.#deps.store.accounts.list()).length === 0 };
    const { email } = await this.#person(personId);
    return { role, email, first: false };
  }

  /** Creates the account or sets its password. The headers (`set-cookie`) sign the person in. */
  async accept(
    asked: AcceptInvitationRequest,
    caller: ClientRequest,
  ): Promise<{ person: PersonRecord; joined: boolean; headers: Headers }> {
    const invitation = await this.#invitations.usable(asked.token);
    const { personId } = invitation;
    const known = personId === null ? parseOrThrow(newPerson, asked, 'body') : await this.#person(personId);
    checkNewPassword(asked.password, known);
    if (personId === null) await this.#logins.requireFree(known.email);
    const password = await hashPassword(asked.password);
    await this.#invitations.use(invitation);
    const id = await this.#fulfil(invitation, { name: known.name, email: known.email, password });
    const auth = await this.#openAuth();
    const headers = await auth.signIn({ email: known.email, password: asked.password }, authHeaders(caller, this.#publicUrl));
    return { person: await this.#person(id), joined: personId === null, headers };
  }

  async #fulfil({ id, role, personId }: InvitationRecord, person: { name: string; email: string; password: string }): Promise<string> {
    try {
      if (personId === null) return await this.#logins.addPerson({ ...person, role });
      await this.#logins.setPassword(personId, person.password);
      await this.#logins.endSessions(personId);
      return personId;
    } catch (error) {
      await this.#deps.store.accounts.returnInvitation(id);
      throw error;
    }
  }

  async #countAttempt({ attempts }: AuthRoute, clientAddress: string, body: Record<string, unknown> | undefined): Promise<void> {
    if (attempts === 'password') await this.#attempts.password(clientAddress, String(body?.email));
    if (attempts === 'any') await this.#attempts.any(clientAddress);
  }

  /** Returns the function that records the change after it has succeeded. */
  async #beforeChange(auth: Auth, caller: ClientRequest, changes: AuthRoute['changes'], body: Record<string, unknown> | undefined) {
    if (!changes) return undefined;
    const person = await auth.signedIn(authHeaders(caller, this.#publicUrl));
    if (!person) throw notSignedIn();
    await this.#deps.changeLimits.count({ kind: 'person', id: person.id }, 'change');
    if (changes === 'ways in') return this.#ownAudit.watch(person);
    checkNewPassword(String(body?.newPassword), person);
    return () => this.#ownAudit.passwordChanged(person);
  }

  /** Returns the person of a successful sign-in. */
  async #writeSignIn(auth: Auth, { request, clientAddress }: ClientRequest, { signsInWith }: AuthRoute, response: Response): Promise<void> {
    if (!signsInWith) return;
    const headers = authHeaders({ request, clientAddress }, this.#publicUrl);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    headers.set('cookie', cookies.join('; '));
    const person = await auth.signedIn(headers);
    if (person) await this.#ownAudit.signedIn(person, signsInWith, clientAddress);
  }

  async #person(id: string): Promise<PersonRecord> {
    const person = await this.#deps.store.accounts.find(id);
    if (!person) throw new SvcError('NOT_FOUND', `There is no account ${id}`);
    return person;
  }

  #openAuth(): Promise<Auth> {
    this.#auth ??= this.#load().catch((error: unknown) => {
      this.#auth = undefined;
      throw error;
    });
    return this.#auth;
  }

  #openOidcAuth(): Promise<Auth> {
    this.#oidcAuth ??= this.#load(this.#deps.oidc).catch((error: unknown) => {
      this.#oidcAuth = undefined;
      throw error;
    });
    return this.#oidcAuth;
  }

  async #load(oidc?: ConsoleOptions['oidc']): Promise<Auth> {
    const { store, logger } = this.#deps;
    const [{ openAuth }, secret] = await Promise.all([
      import('./auth'),
      store.settings.putIfAbsent(AUTH_SECRET, randomBytes(32).toString('base64url'), Date.now()),
    ]);
    if (typeof secret !== 'string') throw new Error(`The setting ${AUTH_SECRET} is not a text`);
    const onJoined = async (person: SignedIn) => {
      await this.#ownAudit.joined(person);
      for (const listener of this.#listeners) listener();
    };
    const onLinked = async (personId: string, ended: EndedLogins | undefined) => this.#ownAudit.linked(await this.#person(personId), ended);
    return openAuth({ onJoined, onLinked, store: store.accounts, logins: this.#logins, secret, publicUrl: this.#publicUrl, logger, oidc });
  }
}

function notSignedIn(): SvcError {
  return new SvcError('NOT_SIGNED_IN', 'Sign in first, or send an admin key as "Authorization: Bearer svc_admin_…"');
}
