/**
 * The key of a `Tools`: a fixed key, or one that the caller's function returns. A refused key is replaced.
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

  /** The fixed key, or the last one that the function returned. */
  current(): string | Promise<string> {
    const option = this.#option;
    if (typeof option !== 'function') return resolveApiKey(option);
    this.#given ??= ask(option).catch((error: unknown) => {
      this.#given = undefined;
      throw error;
    });
    return this.#given;
  }

  /** A key in place of a refused one; undefined if there is no other. Concurrent calls share one call of the function. */
  async replace(refused: string): Promise<string | undefined> {
    if (typeof this.#option !== 'function') return undefined;
    const given = this.#given;
    // Another call may have replaced it already.
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
    throw new SvcError('INVALID_KEY', `The apiKey function failed: ${reason}`, {}, { cause: error });
  }
  if (typeof key !== 'string')
    throw new SvcError('INVALID_KEY', `The apiKey function must return a string, not ${key === null ? 'null' : typeof key}`);
  return resolveApiKey(key);
}
