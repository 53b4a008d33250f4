/** Outcomes that a handler gave. Any other only tells why nobody waited for one, and replaces none. */
export const SAID_BY_HANDLER = ['OK', 'ACTION_FAILED'] as const;

export function isSaidByHandler(code: string): boolean {
  return (SAID_BY_HANDLER as readonly string[]).includes(code);
}
