/** The consent page of a person without a browser: the same requests with the same cookie. Plain Node, since programs start it. */

export interface SignedInBrowser {
  cookie: string;
}

/** Returns the address that the page would open next. */
export async function decide(address: string, { cookie }: SignedInBrowser, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
  const { origin, search } = new URL(address);
  const post = async (path: string, body: object) => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify({ query: search.slice(1), ...body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} gave ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const request = await post('/v1/oauth/requests', {});
  if (request.redirect !== undefined) throw new Error(`The request goes back to the client: ${request.redirect}`);
  return (await post('/v1/oauth/decisions', { decision })).redirect;
}
