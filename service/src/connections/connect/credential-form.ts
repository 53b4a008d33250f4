/** The form for a credential that a person has, such as an API key. */
import type { ToolkitAuth } from '#sdk/protocol/connections';
import type { KeptSecret } from '../kept-secret';

export interface CredentialField {
  name: string;
  label: string;
  isSecret: boolean;
}

/** A field that was left out or filled in wrongly. For people; has no part of the value. */
export class CredentialFormError extends Error {
  override readonly name = 'CredentialFormError';
}

const MAX_CHARS = 8_192;
const FIELDS: Readonly<Record<Exclude<ToolkitAuth['type'], 'oauth2'>, readonly CredentialField[]>> = {
  bearer: [{ name: 'token', label: 'Token', isSecret: true }],
  apiKey: [{ name: 'apiKey', label: 'API key', isSecret: true }],
  basic: [
    { name: 'username', label: 'User name', isSecret: false },
    { name: 'password', label: 'Password', isSecret: true },
  ],
};

/** Empty for `oauth2`, whose provider asks. */
export function credentialFields({ type }: ToolkitAuth): readonly CredentialField[] {
  return type === 'oauth2' ? [] : FIELDS[type];
}

/** @throws CredentialFormError */
export function readCredentialForm({ type }: ToolkitAuth, form: URLSearchParams): KeptSecret {
  const text = (name: string, label: string, { isExact = false } = {}) => {
    const entered = form.get(name) ?? '';
    const value = isExact ? entered : entered.trim();
    if (value === '') throw new CredentialFormError(`${label} is empty: fill it in`);
    if (value.length > MAX_CHARS) throw new CredentialFormError(`${label} has more than ${MAX_CHARS} characters`);
    return value;
  };
  switch (type) {
    case 'bearer':
      return { type, token: visible(text('token', 'The token'), 'The token') };
    case 'apiKey':
      return { type, apiKey: visible(text('apiKey', 'The API key'), 'The API key') };
    case 'basic':
      return {
        type,
        username: withoutColon(withoutControls(text('username', 'The user name'))),
        password: withoutControls(text('password', 'The password', { isExact: true })),
      };
    case 'oauth2':
      throw new CredentialFormError('The provider asks for this account: use its page');
  }
}

/** A token and a key travel in a header or in a query. */
function visible(value: string, label: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new CredentialFormError(`${label} has spaces or characters that no key has: copy it again`);
}

/** RFC 7617 section 2. */
function withoutControls(value: string): string {
  if (!/\p{Cc}/u.test(value)) return value;
  throw new CredentialFormError('User name and password have no line breaks and no control characters: copy them again');
}

/** The same source: it separates the two. */
function withoutColon(username: string): string {
  if (!username.includes(':')) return username;
  throw new CredentialFormError('The user name has a colon, which no API can tell from the password: copy it again');
}
