/** People with accounts, who use the admin API as their browser would. */
import { type AcceptInvitationRequest, ADMIN_PATHS, type CreatedInvitation, type Role } from '../../src/protocol/admin.ts';

export const PASSWORD = 'the quick brown bicycle';

const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0';

export class SignedIn {
  readonly #url: string;
  /** As a `cookie` header has it. */
  readonly #cookie: string;

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  /** @param token of a one-time link: what follows its # */
  static async join(url: string, token: string, { name, email }: { name: string; email: string }): Promise<SignedIn> {
    const request: AcceptInvitationRequest = { token, name, email, password: PASSWORD };
    const answer = await send(url, `${ADMIN_PATHS.invitations}/accept`, { method: 'POST', body: request });
    return new SignedIn(
      url,
      answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';', 1)[0])
        .join('; '),
    );
  }

  async request<Answer = unknown>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}): Promise<Answer> {
    const answer = await send(this.#url, path, { method, body, cookie: this.#cookie });
    return (answer.status === 204 ? undefined : await answer.json()) as Answer;
  }

  async invite(role: Role, name: string): Promise<CreatedInvitation> {
    return this.request<CreatedInvitation>(ADMIN_PATHS.invitations, { method: 'POST', body: { role, name } });
  }
}

async function send(
  url: string,
  path: string,
  { method, body, cookie }: { method: string; body?: unknown; cookie?: string },
): Promise<Response> {
  const answer = await fetch(url + path, {
    method,
    headers: { origin: new URL(url).origin, 'user-agent': FIREFOX, 'content-type': 'application/json', ...(cookie && { cookie }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} gave ${answer.status}: ${await answer.text()}`);
  return answer;
}
