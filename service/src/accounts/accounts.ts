/**
 * Accounts of people: sign-in, sessions, invitations. The account library is loaded by the first request that needs it.
 *
 * Errors: NOT_SIGNED_IN, SIGN_IN_FAILED, RATE_LIMITED, NOT_PERMITTED (a request that another site may have made the browser send), NOT_FOUND (an
 *         invitation that cannot be used; a route that is not there), CONFLICT (an e-mail that has an account), INVALID_REQUEST (a weak password),
 *         and those of keys for a bearer key.
 */
import { type AcceptInvitationRequest, ADMIN_PATHS, type ConsoleInfo, type InvitationPreview } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { Audit } from '../audit/audit';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import { parseOrThrow } from '../lib/parse';
import type { InvitationRecord, PersonRecord } from '../store/console-store';
import type { Store } from '../store/store';
import type { Auth } from './auth';
import { AuthInstances } from './auth-instances';
import { authHeaders, authRequest, bodyOf } from './auth-request';
import { AUTH_ROUTES, type AuthRoute } from './auth-routes';
import type { ChangeLimits } from './change-limits';
import { TrustedProxies } from './client-address';
import type { ClientRequest } from './client-request';
import type { ConsoleOptions } from './console-options';
import { requireSameOrigin } from './csrf';
import { requireFreshSignIn } from './fresh-sign-in';
import { Invitations, type MadeInvitation } from './invitations';
import { Logins } from './logins';
import { checkNewPassword } from './new-password';
import { newPerson } from './new-person';
import { OwnAudit } from './own-audit';
import { mayUsePasskeys } from './passkey-place';
import { hashPassword } from './password-hash';
import type { Principal } from './principal';
import { ProviderLogins } from './provider-logins';
import { hasSessionCookie } from './session-cookie';
import { type GuardedAttempt, SignInGuard } from './sign-in-guard';
import type { CurrentSession, SignedIn } from './signed-in';

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
  readonly #proxies: TrustedProxies;
  readonly #instances: AuthInstances;
  readonly #guard: SignInGuard;
  readonly #invitations: Invitations;
  readonly #logins: Logins;
  readonly #providerLogins: ProviderLogins;
  readonly #ownAudit: OwnAudit;
  readonly #listeners: (() => void)[] = [];

  constructor(deps: AccountsDeps) {
    const { store, publicUrl, oidc } = deps;
    this.#deps = deps;
    this.#proxies = new TrustedProxies(deps.trustedProxies ?? []);
    this.#invitations = new Invitations(store.accounts);
    this.#logins = new Logins(store.accounts);
    this.#providerLogins = new ProviderLogins(store.accounts);
    this.#ownAudit = new OwnAudit(deps.audit, this.#logins);
    this.#instances = new AuthInstances({
      ...deps,
      publicUrl,
      oidc,
      logins: this.#logins,
      providerLogins: this.#providerLogins,
      onJoined: (person) => this.#joined(person),
      onLinked: async (personId, ended) => this.#ownAudit.linked(await this.#person(personId), ended),
    });
    this.#guard = new SignInGuard({ ...deps, publicUrl, logins: this.#logins, secret: () => this.#instances.secret() });
    this.signIn = {
      passkeys: mayUsePasskeys(publicUrl),
      ...(oidc && { oidc: { name: oidc.name ?? new URL(oidc.issuer).host } }),
    };
  }

  /** Called when a sign-in has created an account, which no route of the admin API reports. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Handles all routes below `/v1/auth`.
   *
   * @param peerAddress the address of the connection
   */
  async handle(request: Request, peerAddress: string): Promise<Response> {
    const path = new URL(request.url).pathname.slice(ADMIN_PATHS.auth.length);
    const route = AUTH_ROUTES[`${request.method} ${path}`];
    if (!route || (route.oidc && !this.#deps.oidc))
      throw new SvcError('NOT_FOUND', `There is no ${request.method} ${ADMIN_PATHS.auth}${path}`);
    requireSameOrigin(request, this.#deps.publicUrl);
    const caller = this.#proxies.resolve({ request, clientAddress: peerAddress });
    const body = await bodyOf(request, route);
    const auth = await (route.oidc ? this.#instances.openOidc() : this.#instances.open());
    const session = route.changes || route.fresh || route.own ? await this.#requireSession(auth, caller) : undefined;
    if (route.fresh && session) requireFreshSignIn(session);
    const writeChange = session && (await this.#beforeChange(session.person, route.changes, body));
    const response = await this.#answer(auth, { caller, route, body, session });
    await writeChange?.();
    if (route.endsSession && (await auth.session(authHeaders(caller, this.#deps.publicUrl))))
      throw new SvcError('SERVICE_UNAVAILABLE', 'The session could not be ended; try again', { retryAfterMs: 1_000 });
    await this.#afterSignIn(auth, caller, route, response);
    response.headers.set('cache-control', 'no-store');
    return response;
  }

  /** Returns the principal of a request. A change with a session must have the origin of the console. */
  async principal(request: Request): Promise<Principal> {
    const authorization = request.headers.get('authorization');
    if (authorization !== null) {
      const { id, name } = await this.#deps.keys.authenticate(authorization, 'admin');
      return { kind: 'key', id, name, role: 'owner' };
    }
    if (!hasSessionCookie(request, this.#deps.publicUrl)) throw notSignedIn();
    requireSameOrigin(request, this.#deps.publicUrl);
    const { person, signedInAt } = await this.#requireSession(await this.#instances.open(), { request, clientAddress: '' });
    return { kind: 'person', id: person.id, name: person.name, role: person.role, signedInAt };
  }

  /** The address of the client of a request, which a trusted proxy may have passed on. */
  addressOf(peer: ClientRequest): string {
    return this.#proxies.resolve(peer).clientAddress;
  }

  /** Creates the link for the first owner and revokes the previous one. Resolves with undefined when an account exists. */
  setupInvitation(): Promise<MadeInvitation | undefined> {
    return this.#invitations.setUp();
  }

  /** Refuses a request that another site may have caused, or an address with too many failures. Call this before the body is read. */
  async admitLinkHolder(peer: ClientRequest): Promise<void> {
    requireSameOrigin(peer.request, this.#deps.publicUrl);
    await this.#guard.requireLeft({ kind: 'link' }, this.#proxies.resolve(peer));
  }

  async previewInvitation(token: string, peer: ClientRequest): Promise<InvitationPreview> {
    const { role, personId } = await this.#openInvitation(token, this.#proxies.resolve(peer));
    if (personId === null) return { role, first: (await this.#deps.store.accounts.list()).length === 0 };
    const { email } = await this.#person(personId);
    return { role, email, first: false };
  }

  /** Creates the account or sets its password. The headers (`set-cookie`) sign the person in. */
  async accept(asked: AcceptInvitationRequest, peer: ClientRequest): Promise<{ person: PersonRecord; joined: boolean; headers: Headers }> {
    const caller = this.#proxies.resolve(peer);
    const invitation = await this.#openInvitation(asked.token, caller);
    const { personId } = invitation;
    const known = personId === null ? parseOrThrow(newPerson, asked, 'body') : await this.#person(personId);
    checkNewPassword(asked.password, known);
    // Limited too: the answer shows whether an e-mail address has an account.
    if (personId === null) await this.#guard.run({ kind: 'link' }, caller, () => this.#logins.requireFree(known.email));
    const password = await hashPassword(asked.password);
    await this.#invitations.use(invitation);
    const id = await this.#fulfil(invitation, { name: known.name, email: known.email, password });
    const auth = await this.#instances.open();
    const headers = await auth.signIn({ email: known.email, password: asked.password }, authHeaders(caller, this.#deps.publicUrl));
    headers.append('set-cookie', await this.#guard.remember(id));
    return { person: await this.#person(id), joined: personId === null, headers };
  }

  #openInvitation(token: string, caller: ClientRequest): Promise<InvitationRecord> {
    return this.#guard.run({ kind: 'link' }, caller, () => this.#invitations.usable(token));
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

  async #requireSession(auth: Auth, caller: ClientRequest): Promise<CurrentSession> {
    const session = await auth.session(authHeaders(caller, this.#deps.publicUrl));
    if (!session) throw notSignedIn();
    return session;
  }

  /** Returns the function that records the change after it has succeeded. */
  async #beforeChange(person: SignedIn, changes: AuthRoute['changes'], body: Record<string, unknown> | undefined) {
    if (!changes) return undefined;
    await this.#deps.changeLimits.count({ kind: 'person', id: person.id }, 'change');
    if (changes === 'ways in') return this.#ownAudit.watch(person);
    checkNewPassword(String(body?.newPassword), person);
    return () => this.#ownAudit.passwordChanged(person);
  }

  async #answer(auth: Auth, { caller, route, body, session }: RoutedRequest): Promise<Response> {
    if (route.own && session)
      return Response.json(await route.own({ session, body: body ?? {}, logins: this.#logins, providerLogins: this.#providerLogins }));
    const answer = () => auth.answer(authRequest(caller, route, body, this.#deps.publicUrl));
    return route.attempt ? this.#guard.run(attemptOf(route.attempt, body, session), caller, answer, isRefusedCallback) : answer();
  }

  /** Records a successful sign-in, and makes the browser a known one. */
  async #afterSignIn(auth: Auth, { request, clientAddress }: ClientRequest, { signsInWith }: AuthRoute, response: Response): Promise<void> {
    if (!signsInWith) return;
    const headers = authHeaders({ request, clientAddress }, this.#deps.publicUrl);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    headers.set('cookie', cookies.join('; '));
    const session = await auth.session(headers);
    if (!session) return;
    await this.#ownAudit.signedIn(session.person, signsInWith, clientAddress);
    response.headers.append('set-cookie', await this.#guard.remember(session.person.id));
  }

  async #joined(person: SignedIn): Promise<void> {
    await this.#ownAudit.joined(person);
    for (const listener of this.#listeners) listener();
  }

  async #person(id: string): Promise<PersonRecord> {
    const person = await this.#deps.store.accounts.find(id);
    if (!person) throw new SvcError('NOT_FOUND', `There is no account ${id}`);
    return person;
  }
}

interface RoutedRequest {
  caller: ClientRequest;
  route: AuthRoute;
  body: Record<string, unknown> | undefined;
  session: CurrentSession | undefined;
}

function attemptOf(kind: GuardedAttempt['kind'], body: Record<string, unknown> = {}, session: CurrentSession | undefined): GuardedAttempt {
  if (kind === 'password') return { kind, email: String(body.email) };
  if (kind === 'passkey') return { kind, credentialId: String((body.response as { id?: unknown }).id) };
  return { kind, personId: session?.person.id };
}

/** better-auth redirects a sign-in at the provider that it refuses. */
function isRefusedCallback({ headers }: Response): boolean {
  const location = headers.get('location');
  return location !== null && new URL(location, 'http://localhost').searchParams.has('error');
}

function notSignedIn(): SvcError {
  return new SvcError('NOT_SIGNED_IN', 'Sign in first, or send an admin key as "Authorization: Bearer svc_admin_…"');
}
