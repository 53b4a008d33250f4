/** A person at the connect page, as a browser without scripts: opens the link, and fills in the form of a token. */

const CODE = /\b[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}\b/;

/** @returns the page after the form, with its code if it shows one */
export async function fillConnectPage(link: string, { token = 'gho_of-the-person', session = '' } = {}) {
  const opened = await fetch(link, { headers: { cookie: session } });
  const page = await opened.text();
  const form = new URLSearchParams();
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined) form.set(name, /\btype="hidden"/.test(input) ? (/\bvalue="([^"]*)"/.exec(input)?.[1] ?? '') : token);
  }
  const target = new URL(/<form[^>]*\baction="([^"]*)"/.exec(page)?.[1] ?? '', opened.url);
  const init = { method: 'POST', body: form, redirect: 'manual', headers: { origin: target.origin, cookie: session } } as const;
  const sent = await fetch(target, init);
  const cookies = [session, ...sent.headers.getSetCookie().map((text) => text.split(';', 1)[0])].filter(Boolean);
  const location = sent.headers.get('location');
  const shown = location === null ? sent : await fetch(new URL(location, target), { headers: { cookie: cookies.join('; ') } });
  const text = await shown.text();
  if (!shown.ok) throw new Error(`The page answers ${shown.status}: ${text}`);
  return { text, code: CODE.exec(text)?.[0] };
}

/** @returns the code that the page shows */
export async function connectAccount(link: string, token?: string): Promise<string> {
  const { code, text } = await fillConnectPage(link, { ...(token !== undefined && { token }) });
  if (code === undefined) throw new Error(`The page shows no code: ${text}`);
  return code;
}
