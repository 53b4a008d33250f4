/** Routes below `/v1/auth` that better-auth does not answer: it ends sessions by their tokens, which the service never shows. */
import type { Logins } from './logins';
import type { ProviderLogins } from './provider-logins';
import type { CurrentSession } from './signed-in';

interface OwnRequest {
  session: CurrentSession;
  body: Record<string, unknown>;
  logins: Logins;
  providerLogins: ProviderLogins;
}

/** Resolves with the JSON of the answer. */
export type OwnAnswer = (request: OwnRequest) => Promise<Record<string, unknown>>;

export const OWN_ANSWERS = {
  async endSession({ session, body, logins }) {
    await logins.endSessionOf(session.person.id, String(body.id));
    return { status: true };
  },
  async endOtherSessions({ session, logins }) {
    await logins.endOtherSessions(session.person.id, session.id);
    return { status: true };
  },
  async providerLogin({ session, logins }) {
    const { hasProvider } = await logins.waysIn(session.person.id);
    return { linked: hasProvider };
  },
  /** The route requires a fresh sign-in, so that a page can request one before it leaves for the provider. */
  async confirmSignIn() {
    return { status: true };
  },
  async unlinkProvider({ session, providerLogins }) {
    await providerLogins.unlink(session.person.id);
    return { status: true };
  },
} satisfies Record<string, OwnAnswer>;
