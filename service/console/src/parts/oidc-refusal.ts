const REFUSALS: Record<string, string> = {
  email_not_verified: 'Your provider has not verified your e-mail address. Verify it there, then try again.',
  not_invited: 'You have no account here yet. Ask an owner for an invitation.',
  email_not_found: 'Your provider shares no e-mail address that can be used here.',
  another_identity:
    'Your account here is connected to another account at the provider. Sign in with your password or passkey, and disconnect that one on the page of your account.',
  sign_in_to_link:
    'An owner connects the provider once: sign in with your password or passkey, then select Connect on the page of your account.',
  access_denied: 'You cancelled the sign-in at the provider.',
};

/** @param code from the address, where the provider's callback puts it. Anyone can write it there, so the code is never shown */
export function oidcRefusal(code: string): string {
  return REFUSALS[code] ?? 'Could not sign in with your provider. Try again, or sign in with your password.';
}
