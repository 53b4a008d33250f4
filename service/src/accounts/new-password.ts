import { SvcError } from '#sdk/protocol/errors';

export const PASSWORD_CHARS = { least: 12, most: 128 };

/** @throws SvcError INVALID_REQUEST with what is wrong, without the password */
export function checkNewPassword(password: string, { name, email }: { name: string; email: string }): void {
  const { least, most } = PASSWORD_CHARS;
  if (password.length < least || password.length > most)
    throw new SvcError('INVALID_REQUEST', `A password has ${least} to ${most} characters: a few words that only you put together are good`);
  const text = password.trim().toLowerCase();
  if ([name, email].some((known) => known.trim().toLowerCase() === text))
    throw new SvcError('INVALID_REQUEST', 'A password that is your name or e-mail is the first that others try: choose another one');
}
