/**
 * Texts that the service signs instead of storing them: agent tokens, refresh tokens, client ids, client secrets.
 *
 * Shape: `<text>.<mac>`; the MAC is HMAC-SHA256 of the text, base64url, with a secret of the service. The prefix of a text names its kind, so none
 *        passes for another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SettingStore, TOKEN_SECRET } from '../store/console-store';
import { sharedSecret } from '../store/shared-secret';

export class Signer {
  readonly #secret: Buffer;

  static async open(settings: Pick<SettingStore, 'putIfAbsent'>): Promise<Signer> {
    return new Signer(await sharedSecret(settings, TOKEN_SECRET));
  }

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  sign(text: string): string {
    return `${text}.${this.mac(text)}`;
  }

  /** The text without its MAC; undefined for one that this service did not sign. */
  verify(signed: string): string | undefined {
    const border = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(0, border));
    return isEqual(signed.slice(border + 1), this.mac(text)) ? text : undefined;
  }

  mac(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

export function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
