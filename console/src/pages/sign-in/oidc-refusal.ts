const REFUSALS: Record<string, string> = {
  email_not_verified:
    'The provider has not verified your e-mail address, and only verified ones are let in. Verify it there, then try again.',
  not_invited: 'There is no account for you here yet: ask an owner for an invitation.',
  access_denied: 'The sign-in was cancelled at the provider.',
};

/** @param code what stands in the address when the team's sign-in leads back without a session; anybody can write it, so it is shown as none */
export function oidcRefusal(code: string): string {
  return REFUSALS[code] ?? 'The sign-in with your provider did not work: try again, or sign in with the password.';
}
