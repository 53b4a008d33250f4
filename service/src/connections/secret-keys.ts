/**
 * The keys that seal stored secrets: the first seals, all open.
 *
 * Shape:  `id:base64(32 bytes)`, with commas between keys. The cipher's key is derived from each, so that no other use of it shares one.
 * Errors: INVALID_REQUEST for a text of another form, without any part of it.
 */
import { SvcError } from '#sdk/protocol/errors';
import { deriveKey, openText, sealText } from '../lib/sealed-text';
import type { SealedSecret } from '../store/connection-store';

const CONNECTIONS = 'svc connections';
const KEY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

export class SecretKeys {
  readonly #keys: ReadonlyMap<string, Buffer>;
  /** The key that seals. */
  readonly id: string;

  /**
   * @param what the name of the text, for errors
   * @param purpose two purposes of a text share no key
   */
  static read(text: string, what: string, purpose = CONNECTIONS): SecretKeys {
    const keys = new Map<string, Buffer>();
    for (const entry of text.split(',')) {
      const [, id, base64 = ''] = KEY.exec(entry.trim()) ?? [];
      if (id === undefined || keys.has(id)) throw unreadable(what);
      keys.set(id, deriveKey(Buffer.from(base64, 'base64'), purpose));
    }
    return new SecretKeys(keys);
  }

  private constructor(keys: ReadonlyMap<string, Buffer>) {
    this.#keys = keys;
    this.id = keys.keys().next().value ?? '';
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** The same keys, and then those of another text, which only open. */
  and(others: SecretKeys): SecretKeys {
    return new SecretKeys(new Map([...this.#keys, ...[...others.#keys].filter(([id]) => !this.has(id))]));
  }

  /** @param place the row of the secret: in another one it does not open */
  seal(text: string, place: readonly string[]): SealedSecret {
    const key = this.#keys.get(this.id);
    if (!key) throw new Error('There is no key that seals');
    return { sealed: sealText(key, text, place.join('\n')).toString('base64url'), sealedBy: this.id };
  }

  /** Undefined for an unknown key, another place, and a text that was changed. */
  open({ sealed, sealedBy }: SealedSecret, place: readonly string[]): string | undefined {
    const key = this.#keys.get(sealedBy);
    return key && openText(key, Buffer.from(sealed, 'base64url'), place.join('\n'));
  }
}

function unreadable(what: string): SvcError {
  return new SvcError(
    'INVALID_REQUEST',
    `${what} must be id:key, with commas between keys and each id once; an id has 1 to 32 letters, digits, "-" or "_", a key is 32 bytes in base64, such as from: openssl rand -base64 32`,
  );
}
