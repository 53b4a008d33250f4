import type { Page } from 'playwright-core';

/** Everywhere that a page can keep something. */
export async function keptByPage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const values = [...document.querySelectorAll('input, textarea')].map((input) => (input as HTMLInputElement).value);
    const texts = [document.documentElement.outerHTML, values, location.href, history.state, document.cookie];
    return JSON.stringify([...texts, { ...localStorage }, { ...sessionStorage }, databases, await caches.keys()]);
  });
}
