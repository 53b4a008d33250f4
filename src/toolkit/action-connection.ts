/**
 * The account with which a call acts at the API behind the toolkit: `ctx.connection`. It prints as `[connection]` everywhere.
 *
 * Errors: `refused()` rejects with an `ActionError` CONNECTION_REQUIRED when there is no other connection, which ends the call when the handler
 *         lets it through; with SvcError CONNECTION_CLOSED when the socket closes before the answer.
 * Source: docs/protocol.md, sections 6 and 11.
 */
import type { FrameConnection } from '../protocol/connections';
import { isObject } from '../protocol/json-object';

export interface ActionConnection {
  /**
   * The same for all tokens of one account that the service keeps; connected again, it is another one. Undefined for the caller's credential, whose
   * account is not known.
   */
  readonly id: string | undefined;
  /** The handler of an `oauth2` toolkit gets a `bearer`. */
  readonly type: FrameConnection['type'];
  /** The token of a `bearer`. */
  readonly token: string | undefined;
  /** Both are of a `basic`. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  /** The end of the token. Undefined: unknown. */
  readonly expiresAt: Date | undefined;
  /** The name of the account at the provider, such as `octocat`. */
  readonly account: string | undefined;
  /** Headers for a request to the API: `fetch(url, { headers: { ...ctx.connection?.headers() } })`. Empty for an `apiKey` of the query. */
  headers(): Record<string, string>;
  /**
   * Call this when the API answers 401: the service refreshes the token once, and this connection has the new one. Throws CONNECTION_REQUIRED when
   * there is none; let the error through, so that the agent learns that its user has to connect again.
   */
  refused(): Promise<void>;
}

type Member = 'token' | 'username' | 'password' | 'apiKey' | 'in' | 'name';
/** Members of each type, which are texts. */
const MEMBERS: ReadonlyMap<unknown, readonly Member[]> = new Map([
  ['bearer', ['token']],
  ['basic', ['username', 'password']],
  ['apiKey', ['apiKey', 'in', 'name']],
]);
const PRINTED = '[connection]';

/** Undefined for a value that is not a connection of a known type. */
export function readFrameConnection(value: unknown): FrameConnection | undefined {
  if (!isObject(value)) return undefined;
  const members = MEMBERS.get(value.type);
  const isWhole =
    members?.every((name) => typeof value[name] === 'string') && (value.type !== 'apiKey' || /^(header|query)$/.test(`${value.in}`));
  return isWhole ? (value as unknown as FrameConnection) : undefined;
}

export class InvocationConnection implements ActionConnection {
  #frame: Partial<Record<Member, string>> & FrameConnection;
  readonly #renew: () => Promise<FrameConnection>;
  #renewing: Promise<void> | undefined;

  /** @param renew resolves with another connection of the same call */
  constructor(frame: FrameConnection, renew: () => Promise<FrameConnection>) {
    this.#frame = frame;
    this.#renew = renew;
  }

  get id(): string | undefined {
    const { id } = this.#frame;
    return typeof id === 'string' ? id : undefined;
  }

  get type(): FrameConnection['type'] {
    return this.#frame.type;
  }

  get token(): string | undefined {
    return this.#frame.token;
  }

  get username(): string | undefined {
    return this.#frame.username;
  }

  get password(): string | undefined {
    return this.#frame.password;
  }

  get apiKey(): string | undefined {
    return this.#frame.apiKey;
  }

  get expiresAt(): Date | undefined {
    const at = new Date(String(this.#frame.expiresAt));
    return Number.isNaN(at.getTime()) ? undefined : at;
  }

  get account(): string | undefined {
    const { account } = this.#frame;
    return typeof account === 'string' ? account : undefined;
  }

  headers(): Record<string, string> {
    const frame: FrameConnection = this.#frame;
    if (frame.type === 'bearer') return { Authorization: `Bearer ${frame.token}` };
    // RFC 7617: the charset is UTF-8.
    if (frame.type === 'basic') return { Authorization: `Basic ${Buffer.from(`${frame.username}:${frame.password}`).toString('base64')}` };
    return frame.in === 'header' ? { [frame.name]: frame.apiKey } : {};
  }

  /** Calls of a handler side by side share one request. */
  refused(): Promise<void> {
    this.#renewing ??= this.#replace().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #replace(): Promise<void> {
    this.#frame = await this.#renew();
  }

  toString(): string {
    return PRINTED;
  }

  toJSON(): string {
    return PRINTED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return PRINTED;
  }
}
