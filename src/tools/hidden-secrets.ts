/** Hides the key and the credential of a request in texts of its errors, which may repeat what was sent. Encoded copies are not found. */
import { isObject } from '../protocol/json-object';

/** A shorter text occurs by chance. */
const MIN_SECRET_CHARS = 4;

export class HiddenSecrets {
  readonly #apiKey: string;
  readonly #secrets: readonly string[];

  /** @param secrets of a connection */
  constructor(apiKey: string, secrets: readonly string[]) {
    this.#apiKey = apiKey;
    this.#secrets = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS);
  }

  hideIn(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[connection]'), text.replaceAll(this.#apiKey, 'svc_agent_…'));
  }

  /** The same in all names and texts of a JSON value. */
  hideInJson(value: unknown): unknown {
    if (typeof value === 'string') return this.hideIn(value);
    if (Array.isArray(value)) return value.map((item) => this.hideInJson(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.hideIn(name), this.hideInJson(member)]));
  }
}
