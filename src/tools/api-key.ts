/**
 * What a `Tools` sends to say who it is: a fixed key, or what a function of the caller's gives, until the service refuses that.
 *
 * Errors: INVALID_KEY, WRONG_KEY_KIND; no message holds the key.
 */
import { SvcError } from '../protocol/errors';
import { resolveApiKey } from './settings';

export type ApiKeyOption = string | (() => string | Promise<string>) | undefined;

export class ApiKey {
  readonly #option: ApiKeyOption;
  #given: Promise<string> | undefined;

  constructor(option: ApiKeyOption) {
    this.#option = option;
  }

  /** The fixed key, at once; or what the function gave last. */
  current(): string | Promise<string> {
    const option = this.#option;
    if (typeof option !== 'function') return resolveApiKey(option);
    this.#given ??= ask(option).catch((error: unknown) => {
      this.#given = undefined;
      throw error;
    });
    return this.#given;
  }

  /** Another key than the one that was refused; undefined when there is none. Calls at the same time ask the function once. */
  async replace(refused: string): Promise<string | undefined> {
    if (typeof this.#option !== 'function') return undefined;
    const given = this.#given;
    // Another call may have replaced it since.
    if ((await given) === refused && this.#given === given) this.#given = undefined;
    const key = await this.current();
    return key === refused ? undefined : key;
  }
}

async function ask(give: () => string | Promise<string>): Promise<string> {
  let key: unknown;
  try {
    key = await give();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError('INVALID_KEY', `The function apiKey gave no key: ${reason}`, {}, { cause: error });
  }
  if (typeof key !== 'string')
    throw new SvcError('INVALID_KEY', `The function apiKey gave no text but ${key === null ? 'null' : typeof key}`);
  return resolveApiKey(key);
}
