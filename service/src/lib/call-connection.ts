/**
 * The account with which one call acts, with its secret. Every form in which it could be printed by chance is `[connection]`.
 *
 * Shape: only `frameJson` and `secrets` hold the secret.
 */
import { inspect } from 'node:util';
import type { Credential, FrameConnection, ToolkitAuth } from '#sdk/protocol/connections';

const SHOWN = '[connection]';
/** A shorter text occurs by chance. */
const MIN_SECRET_CHARS = 4;

export class CallConnection {
  readonly #frame: FrameConnection;
  readonly #earlier: readonly string[];

  private constructor(frame: FrameConnection, earlier: readonly string[]) {
    this.#frame = frame;
    this.#earlier = earlier;
  }

  static of(frame: FrameConnection): CallConnection {
    return new CallConnection(frame, []);
  }

  /** Undefined when the credential is of another type than the toolkit asks for. */
  static from(credential: Credential, { type, in: place = 'header', name = 'X-API-Key' }: ToolkitAuth): CallConnection | undefined {
    if ('bearer' in credential)
      return type === 'bearer' || type === 'oauth2' ? CallConnection.of({ type: 'bearer', token: credential.bearer }) : undefined;
    if ('basic' in credential) return type === 'basic' ? CallConnection.of({ type, ...credential.basic }) : undefined;
    return type === 'apiKey' ? CallConnection.of({ type, apiKey: credential.apiKey, in: place, name }) : undefined;
  }

  /** The same account with new secrets. Remembers the earlier ones. */
  renewed(by: CallConnection): CallConnection {
    return new CallConnection(by.#frame, this.secrets);
  }

  /** JSON text of the `connection` of an `invoke` frame. */
  get frameJson(): string {
    return JSON.stringify(this.#frame);
  }

  /** The name of the account at the provider. */
  get account(): string | undefined {
    return this.#frame.account;
  }

  /** Texts that no result, error or report of the call may hold. */
  get secrets(): readonly string[] {
    return [...this.#earlier, ...secretsOf(this.#frame).filter((text) => text.length >= MIN_SECRET_CHARS)];
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}

function secretsOf(frame: FrameConnection): string[] {
  switch (frame.type) {
    case 'bearer':
      return [frame.token];
    case 'basic':
      // Some APIs take a key as the user name of an empty password.
      return [frame.password || frame.username, Buffer.from(`${frame.username}:${frame.password}`).toString('base64')];
    case 'apiKey':
      return [frame.apiKey];
  }
}

/** Replaces the secrets in a text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, SHOWN), text);
}

const JSON_STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** Replaces the secrets in the names and texts of a JSON text, however these are escaped. The rest of the text stays as it is. */
export function jsonWithoutSecrets(json: string, secrets: readonly string[]): string {
  const mayHoldOne = json.includes('\\') || secrets.some((secret) => json.includes(secret));
  if (!mayHoldOne) return json;
  return json.replace(JSON_STRINGS, (literal) => {
    const text: string = JSON.parse(literal);
    const cleaned = withoutSecrets(text, secrets);
    return cleaned === text ? literal : JSON.stringify(cleaned);
  });
}
