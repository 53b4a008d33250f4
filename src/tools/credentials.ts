/**
 * Headers of connections: the caller's credential for the toolkit of a call, and the names of the connections to use.
 *
 * Errors: INVALID_REQUEST; no message holds a credential.
 * Source: docs/protocol.md, section 11; RFC 7617.
 */
import { type Credential, MAX_CONNECTIONS_CHARS } from '../protocol/connections';
import { SvcError } from '../protocol/errors';
import { isObject } from '../protocol/json-object';

/** A credential as it is sent. */
export interface SentCredential {
  header: string;
  /** Texts that no error of the request may hold. */
  secrets: string[];
}

/** Has none of the separators of the header. */
const TOOLKIT = /^[\w-]+$/;
/** Visible ASCII, but no comma. */
const TEXT = /^[\x21-\x2b\x2d-\x7e]+$/;
const NAME = /^[A-Za-z0-9._@-]{1,64}$/;

export function writeCredential(toolkit: string, credential: Credential): SentCredential {
  const invalid = (problem: string) => new SvcError('INVALID_REQUEST', `The credential for ${JSON.stringify(toolkit)} ${problem}`);
  const { bearer, apiKey, basic } = (isObject(credential) ? credential : {}) as { bearer?: unknown; apiKey?: unknown; basic?: unknown };
  const members = [bearer, apiKey, basic].filter((member) => member !== undefined);
  if (!TOOLKIT.test(toolkit) || members.length !== 1) throw invalid('is { bearer }, { apiKey } or { basic: { username, password } }');
  const { scheme, text, secret } =
    basic === undefined
      ? { scheme: bearer === undefined ? 'ApiKey' : 'Bearer', text: bearer ?? apiKey, secret: '' }
      : { scheme: 'Basic', ...basicText(basic) };
  if (typeof text !== 'string' || !TEXT.test(text))
    throw invalid(
      basic === undefined
        ? 'has characters that a header cannot hold, or a comma'
        : 'needs texts as username and password, the first without a colon',
    );
  const header = `${toolkit} ${scheme} ${text}`;
  if (header.length > MAX_CONNECTIONS_CHARS) throw invalid(`has ${text.length} characters, more than a header may have`);
  return { header, secrets: [text, secret] };
}

/** `github work, shop main`, by toolkit. Undefined without names. */
export function writeChoices(names: Readonly<Record<string, string>>): string | undefined {
  const choices = Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1));
  const wrong = choices.find(([toolkit, name]) => !TOOLKIT.test(toolkit) || !NAME.test(name));
  if (wrong)
    throw new SvcError(
      'INVALID_REQUEST',
      `connectionNames: ${JSON.stringify(wrong[0])} needs a name of 1 to 64 letters, digits and . _ @ -`,
    );
  return choices.map((choice) => choice.join(' ')).join(', ') || undefined;
}

/** `text` is undefined for anything but a user name and a password. */
function basicText(basic: unknown): { text: string | undefined; secret: string } {
  const { username, password } = isObject(basic) ? basic : {};
  if (typeof username !== 'string' || typeof password !== 'string' || username.includes(':')) return { text: undefined, secret: '' };
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  // Some APIs take a key as the user name of an empty password.
  return { text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')), secret: password || username };
}
