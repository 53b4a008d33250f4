/** better-auth as the service uses it. It is loaded with the first sign-in or session. */
import { betterAuth } from 'better-auth';
import type { Role } from '#sdk/protocol/admin';
import { toAuthError } from './auth-error';
import { type AuthDeps, authOptions } from './auth-options';
import type { CurrentSession } from './signed-in';

/** Precision of a session's "last seen": at most one write per session and minute. */
const SEEN_EVERY_MS = 60_000;

export interface Auth {
  /** @throws SvcError for every response without success */
  answer(request: Request): Promise<Response>;
  /** Returns undefined for a cookie without a valid session. Updates the session's "last seen", and does not extend it. */
  session(headers: Headers): Promise<CurrentSession | undefined>;
  /** The cookies of a new session. */
  signIn(login: { email: string; password: string }, headers: Headers): Promise<Headers>;
}

export function openAuth(deps: AuthDeps): Auth {
  const auth = betterAuth(authOptions(deps));
  return {
    async answer(request) {
      const response = await auth.handler(request).catch(rethrow);
      if (response.status >= 400) throw toAuthError({ statusCode: response.status, body: await response.json().catch(() => undefined) });
      return ownAnswer(response);
    },
    async session(headers) {
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } }).catch(rethrow);
      if (!found) return undefined;
      const { session, user } = found;
      const now = Date.now();
      if (now - session.updatedAt.getTime() >= SEEN_EVERY_MS) await deps.logins.sawSession(session.id, now);
      const { id, name, email, role } = user;
      return { id: session.id, person: { id, name, email, role: role as Role }, signedInAt: session.createdAt.getTime() };
    },
    async signIn(body, headers) {
      const answer = await auth.api.signInEmail({ body, headers, returnHeaders: true }).catch(rethrow);
      return answer.headers;
    },
  };
}

function rethrow(error: unknown): never {
  throw toAuthError(error);
}

/** Removes session tokens, which only the cookie has, and makes passkeys verify the person, which better-auth only prefers. */
async function ownAnswer(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  // A redirect has the content type of JSON too.
  if (text === '') return new Response(null, { status, headers });
  const body: unknown = JSON.parse(text, (name, value) => {
    if (name === 'token') return undefined;
    return name === 'userVerification' ? 'required' : value;
  });
  return Response.json(body, { status, headers });
}
