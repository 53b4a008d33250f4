/** What the service asks of a password, told before it is sent. */
const PASSWORD_CHARS = { least: 12, most: 128 };

export const PASSWORD_ADVICE = `At least ${PASSWORD_CHARS.least} characters: a few words that only you put together are good.`;

/** What is wrong with it; null when nothing is. */
export function checkPassword(password: string): string | null {
  const { least, most } = PASSWORD_CHARS;
  if (password.length < least) {
    const missing = least - password.length;
    return password === '' ? 'Choose a password' : `${missing} more ${missing === 1 ? 'character' : 'characters'}`;
  }
  return password.length > most ? `At most ${most} characters` : null;
}
