/** Holds a request that needs a fresh sign-in until the person has signed in again. */

/** Resolves with false if the person cancels. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;

/** Sets the sign-in dialog. Returns the function that removes it. */
export function onSignInAgain(asking: Ask): () => void {
  ask = asking;
  return () => {
    if (ask === asking) ask = undefined;
  };
}

export async function signInAgain(): Promise<boolean> {
  return ask ? ask() : false;
}
