/**
 * The address of an app to which the browser goes after the connect page, with the code.
 *
 * Shape: `https://app.example/back` gets `?code=…&toolkit=…`. In `https://t.me/bot?start={code}` the code takes the place of `{code}`: such an
 *        address opens a chat, and the user sends the code there.
 */

const PLACE = '{code}';

export function returnAddress(returnUrl: string, { code, toolkit }: { code: string; toolkit: string }): string {
  if (opensChat(returnUrl)) return returnUrl.replace(PLACE, code);
  const back = new URL(returnUrl);
  back.searchParams.set('code', code);
  back.searchParams.set('toolkit', toolkit);
  return back.href;
}

export function opensChat(returnUrl: string): boolean {
  return returnUrl.includes(PLACE);
}
