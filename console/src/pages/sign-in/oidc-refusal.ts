const REFUSALS: Record<string, string> = {
  email_not_verified: 'Your provider has not verified your e-mail address. Verify it there, then try again.',
  not_invited: 'You have no account here yet. Ask an owner for an invitation.',
  access_denied: 'You cancelled the sign-in at the provider.',
};

/** @param code from the address, where the provider's callback puts it. Anyone can write it there, so the code itself is never shown */
export function oidcRefusal(code: string): string {
  return REFUSALS[code] ?? 'Could not sign in with your provider. Try again, or sign in with your password.';
}
