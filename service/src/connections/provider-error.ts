/**
 * A failure at a provider, and the party that can mend it.
 *
 * `user`:     the person who connects, such as one who refused, or whose access was withdrawn.
 * `owner`:    the owner of the toolkit, whose client or endpoints the provider does not accept.
 * `provider`: the provider, which is down or slow, or does not answer as RFC 6749 says.
 */
export type Mender = 'user' | 'owner' | 'provider';

export interface ProviderErrorDetails {
  mender: Mender;
  /** The error code of RFC 6749 that the provider answered. */
  providerCode?: string | undefined;
}

/** Its message is for people. It has no secret, and of the provider's text nothing but the code. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly mender: Mender;
  readonly providerCode: string | undefined;

  constructor(message: string, { mender, providerCode }: ProviderErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.mender = mender;
    this.providerCode = providerCode;
  }

  /** The provider ended the grant: only its user can connect again. */
  get isGrantEnded(): boolean {
    return this.providerCode === 'invalid_grant';
  }
}

/** RFC 6749 sections 4.1.2.1 and 5.2, RFC 8707 section 2; `bad_refresh_token` is GitHub's. */
const MENDERS: Readonly<Record<string, Mender>> = {
  access_denied: 'user',
  interaction_required: 'user',
  login_required: 'user',
  consent_required: 'user',
  invalid_grant: 'user',
  bad_refresh_token: 'user',
  server_error: 'provider',
  temporarily_unavailable: 'provider',
  slow_down: 'provider',
};
const ADVICE: Readonly<Record<Mender, string>> = {
  user: 'Connect the account again, and allow the access that the page of the provider asks for',
  owner: "The toolkit's owner has to correct its client, endpoints or scopes",
  provider: 'Try again later',
};

/** @param secrets texts of the request: a provider that repeats one of them as its code gets no code into the message */
export function providerRefusal(host: string, code: string, secrets: readonly (string | undefined)[] = []): ProviderError {
  const isShown =
    /^[A-Za-z0-9_.-]{1,64}$/.test(code) && !secrets.some((secret) => secret !== undefined && secret !== '' && code.includes(secret));
  const mender = MENDERS[code] ?? 'owner';
  const what = isShown ? `the error ${code}` : 'an error';
  return new ProviderError(`${host} answered ${what}. ${ADVICE[mender]}`, { mender, providerCode: isShown ? code : undefined });
}

export function providerFailure(host: string, reason: string, cause?: unknown): ProviderError {
  return new ProviderError(`${host} ${reason}. ${ADVICE.provider}`, { mender: 'provider' }, { cause });
}
