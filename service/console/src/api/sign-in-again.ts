/** A request that needs a fresh sign-in waits here until the person has signed in again. */

/** Resolves with false when the person cancels. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;

/** Sets the dialog that asks. Returns the function that removes it. */
export function onSignInAgain(asking: Ask): () => void {
  ask = asking;
  return () => {
    if (ask === asking) ask = undefined;
  };
}

export async function signInAgain(): Promise<boolean> {
  return ask ? ask() : false;
}
