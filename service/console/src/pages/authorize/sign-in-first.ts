/** A person without a session signs in first, and comes back to this page. */
import { useEffect } from 'react';
import { ApiError } from '../../api/request';

/** True while the browser leaves the page because of a NOT_SIGNED_IN error. */
export function useSignInFirst(error: unknown): boolean {
  const isSignedOut = error instanceof ApiError && error.code === 'NOT_SIGNED_IN';
  useEffect(() => {
    if (isSignedOut) openSignIn();
  }, [isSignedOut]);
  return isSignedOut;
}

/** The sign-in page leads back to this page, with the query as it is. */
export function openSignIn(): void {
  const { pathname, search } = window.location;
  window.location.replace(`/sign-in?from=${encodeURIComponent(pathname + search)}`);
}
