/** Translates better-auth's errors into SvcErrors, with the next step in one sentence. Other answers pass unchanged. */
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';

/** An error of better-auth, or its answer. */
interface Said {
  statusCode: number;
  body: unknown;
}

const WRONG_LOGIN: [SvcErrorCode, string] = ['SIGN_IN_FAILED', 'E-mail or password is wrong'];
const WRONG_PASSKEY: [SvcErrorCode, string] = ['SIGN_IN_FAILED', 'The passkey was not accepted: try again, or sign in with the password'];
const NOT_VERIFIED = 'The passkey did not verify you: use a fingerprint, a face or a PIN; a security key may need one to be set first';
const NO_PROVIDER: [SvcErrorCode, string] = [
  'SERVICE_UNAVAILABLE',
  'The OpenID provider does not answer: try again later, or sign in with the password',
];

const BY_CODE: Record<string, [SvcErrorCode, string]> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG_LOGIN,
  INVALID_EMAIL: WRONG_LOGIN,
  INVALID_PASSWORD: ['SIGN_IN_FAILED', 'The current password is wrong'],
  PASSWORD_TOO_SHORT: ['INVALID_REQUEST', 'The password is too short'],
  PASSWORD_TOO_LONG: WRONG_LOGIN,
  CREDENTIAL_ACCOUNT_NOT_FOUND: ['NOT_FOUND', 'This account has no password: an owner can make a link that sets one'],
  '401 PASSKEY_NOT_FOUND': WRONG_PASSKEY,
  AUTHENTICATION_FAILED: WRONG_PASSKEY,
  '400 USER_NOT_VERIFIED': ['INVALID_REQUEST', NOT_VERIFIED],
  '401 USER_NOT_VERIFIED': ['SIGN_IN_FAILED', NOT_VERIFIED],
  CHALLENGE_NOT_FOUND: ['INVALID_REQUEST', 'It took too long, or cookies are off: try again'],
  FAILED_TO_VERIFY_REGISTRATION: ['INVALID_REQUEST', 'The browser made no passkey that can be used: try again'],
  PREVIOUSLY_REGISTERED: ['CONFLICT', 'This passkey is there already'],
  PROVIDER_NOT_FOUND: NO_PROVIDER,
};

const BY_STATUS: Record<number, [SvcErrorCode, string]> = {
  400: ['INVALID_REQUEST', 'The request is not understood'],
  401: ['NOT_SIGNED_IN', 'Sign in first'],
  403: ['NOT_PERMITTED', 'This is not permitted'],
  404: ['NOT_FOUND', 'There is nothing here'],
};

export function toAuthError(error: unknown): unknown {
  const own = ownCause(error);
  if (own) return own;
  if (!isSaid(error)) return error;
  const code = codeOf(error.body);
  const { statusCode } = error;
  const [ours, sentence] = BY_CODE[`${statusCode} ${code}`] ?? BY_CODE[code] ?? BY_STATUS[statusCode] ?? [];
  return ours && sentence ? new SvcError(ours, sentence) : new Error(`better-auth answered ${statusCode} ${code}`, { cause: error });
}

/** Such as SERVICE_UNAVAILABLE of the store, which better-auth wraps. */
function ownCause(error: unknown): SvcError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (SvcError.is(cause)) return cause;
  return undefined;
}

function isSaid(error: unknown): error is Said {
  if (typeof error !== 'object' || error === null || !('body' in error)) return false;
  return 'statusCode' in error && typeof error.statusCode === 'number';
}

function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : '';
}
