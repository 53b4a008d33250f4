/** The service's rules for a password, checked before it is sent. */
const PASSWORD_CHARS = { least: 12, most: 128 };

export const PASSWORD_ADVICE = `At least ${PASSWORD_CHARS.least} characters. A passphrase of several unrelated words works well.`;

/** The problem of a password; null if there is none. */
export function checkPassword(password: string): string | null {
  const { least, most } = PASSWORD_CHARS;
  if (password.length < least) {
    const missing = least - password.length;
    return password === '' ? 'Choose a password' : `Use at least ${least} characters (${missing} more)`;
  }
  return password.length > most ? `Use at most ${most} characters` : null;
}
