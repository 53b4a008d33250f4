/**
 * The connections of one user's calls: the credential that the application has, the names that it chose, and its answer when a user has to
 * connect an account.
 *
 * Rule:   a call that the service refuses with CONNECTION_REQUIRED is made again once, with the same idempotency key.
 * Errors: CONNECTION_REQUIRED stays when the application has no credential, or when the user has not connected. The model then reads that the
 *         user was asked, and no link.
 * Source: docs/protocol.md, section 11.
 */
import type { Credential, RequiredConnection } from '../protocol/connections';
import { SvcError } from '../protocol/errors';
import { untilAborted } from '../protocol/until-aborted';
import { type SentCredential, writeChoices, writeCredential } from './credentials';
import { Questions } from './questions';

/** Returns the user's credential at the API behind a toolkit. Called before each call of a toolkit that needs one. */
export type FindCredential = (
  toolkit: string,
  userId: string | undefined,
) => Credential | undefined | null | Promise<Credential | undefined | null>;

/** Asks the user to connect an account at `url`. True: the user has done it, so the call is made again. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only shows the link returns nothing
export type AskToConnect = (required: ConnectLink & { userId: string | undefined }) => boolean | void | Promise<boolean | void>;

type ConnectLink = RequiredConnection & { url: string };

export interface CallerConnectionOptions {
  connections?: FindCredential | undefined;
  connectionNames?: Readonly<Record<string, string>> | undefined;
  onConnectionRequired?: AskToConnect | undefined;
}

export interface ConnectedCall {
  /** Toolkit id. Undefined for arguments that only the service understands. */
  toolkit: string | undefined;
  userId: string | undefined;
  /** The only credential of this call. */
  connection?: Credential | undefined;
  connectionName?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The part of a request that is about its connection. */
export interface SentConnection {
  credential: SentCredential | undefined;
  names: string | undefined;
}

export class CallerConnections {
  readonly #options: CallerConnectionOptions;
  /** Toolkits that need a credential: the same for all users of a service. */
  readonly #needed: Set<string>;
  readonly #questions = new Questions();

  constructor(options: CallerConnectionOptions, needed: Set<string>) {
    this.#options = options;
    this.#needed = needed;
  }

  /** Asks the user once for each toolkit while `work` runs. */
  askOnce<T>(work: () => Promise<T>): Promise<T> {
    return this.#questions.keepDuring(work);
  }

  async call<T>(call: ConnectedCall, send: (sent: SentConnection) => Promise<T>): Promise<T> {
    const { toolkit = '' } = call;
    if (toolkit === '' && (call.connection ?? call.connectionName) !== undefined) throw noToolkit();
    const names = this.#names(toolkit, call.connectionName);
    const isAsked = call.connection === undefined && this.#needed.has(toolkit);
    const credential = isAsked ? await this.#find(toolkit, call) : call.connection;
    const sent = { names, credential: credential && writeCredential(toolkit, credential) };
    try {
      return await send(sent);
    } catch (error) {
      const connect = requiredBy(error);
      if (connect?.url !== undefined && this.#options.onConnectionRequired)
        return this.#sendWhenConnected(call, { ...connect, url: connect.url }, () => send(sent));
      if (!connect || connect.url !== undefined || connect.connections !== undefined) throw error;
      this.#needed.add(connect.toolkit);
      const found = call.connection || isAsked ? undefined : await this.#find(connect.toolkit, call);
      if (!found) throw error;
      return send({ names, credential: writeCredential(connect.toolkit, found) });
    }
  }

  /** The names of the connections of every call. */
  get names(): string | undefined {
    return writeChoices({ ...this.#options.connectionNames });
  }

  #names(toolkit: string, name: string | undefined): string | undefined {
    return writeChoices({ ...this.#options.connectionNames, ...(name !== undefined && { [toolkit]: name }) });
  }

  async #find(toolkit: string, { userId, signal }: ConnectedCall): Promise<Credential | undefined> {
    const { connections } = this.#options;
    if (!connections) return undefined;
    const found = fromApplication('connections', toolkit, async () => connections(toolkit, userId));
    return (await untilEnd(signal, found)) ?? undefined;
  }

  async #sendWhenConnected<T>(call: ConnectedCall, connect: ConnectLink, send: () => Promise<T>): Promise<T> {
    if (!(await this.askToConnect(connect, call))) throw userWasAsked(connect);
    return send().catch((error: unknown) => {
      throw requiredBy(error)?.url === undefined ? error : userWasAsked(connect);
    });
  }

  /** Whether the application's user has connected the account by now. */
  async askToConnect(connect: ConnectLink, { userId, signal }: Pick<ConnectedCall, 'userId' | 'signal'>): Promise<boolean> {
    const { onConnectionRequired } = this.#options;
    const question = () =>
      fromApplication('onConnectionRequired', connect.toolkit, async () => (await onConnectionRequired?.({ ...connect, userId })) === true);
    return untilEnd(signal, this.#questions.ask(JSON.stringify([connect.toolkit, userId]), question));
  }
}

function noToolkit(): SvcError {
  return new SvcError('INVALID_REQUEST', 'connection and connectionName need an action id, such as "github__create_issue"');
}

function requiredBy(error: unknown): RequiredConnection | undefined {
  return SvcError.is(error) && error.code === 'CONNECTION_REQUIRED' ? error.details.connect : undefined;
}

/** The model does not read the reason, which may have secrets of the application. */
async function fromApplication<T>(option: string, toolkit: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new SvcError(
      'CONNECTION_REQUIRED',
      `The application could not connect an account of "${toolkit}": ${option} failed`,
      {},
      { cause },
    );
  }
}

/** The link is the application's: it has shown it to the user. */
function userWasAsked({ url: _, expiresAt: __, confirm: ___, ...connect }: RequiredConnection): SvcError {
  const message = `The user was asked to connect an account of "${connect.toolkit}". Say so, and make the same call again when they have done it`;
  return new SvcError('CONNECTION_REQUIRED', message, { connect });
}

function untilEnd<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  return signal ? untilAborted(signal, promise) : promise;
}
