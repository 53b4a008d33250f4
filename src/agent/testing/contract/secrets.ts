/** Searches the output of a client for the valid and invalid credentials of a fake platform. */
import { inspect } from 'node:util';
import type { FakePlatform } from '../fake-platform';
import { check } from './check';

/** A fake with known client options, such as those of this package. */
export type FakeWithCredentials = FakePlatform & { readonly clientOptions?: object; readonly wrongCredentials?: object };

export class Secrets {
  readonly #secrets: readonly string[];

  constructor({ secret, clientOptions = {}, wrongCredentials = {} }: FakeWithCredentials) {
    const options = [...Object.values(clientOptions), ...Object.values(wrongCredentials)];
    const texts = options.filter((value): value is string => typeof value === 'string' && !value.includes('://'));
    this.#secrets = [...new Set([secret, ...texts])].flatMap((text) => [text, encodeURIComponent(text)]);
  }

  /** @param what such as `The cursor` */
  checkAbsent(what: string, value: unknown): void {
    // `showHidden`: errors have non-enumerable members, such as `cause`.
    const shown = inspect(value, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null, breakLength: Infinity });
    const texts = value instanceof Error ? [shown, value.message, value.stack ?? ''] : [shown];
    const isShown = this.#secrets.some((secret) => texts.some((text) => text.includes(secret)));
    check(!isShown, `${what} holds a credential of the platform: leave tokens and keys out of all that the client returns and throws`);
  }
}
