/** Values that differ in every run are overwritten in the page before its picture is taken. */
import type { Page } from 'playwright-core';

/** The service is one node, which has another id each time that it starts. */
const NODE = /(?<=\bnode_)[0-9a-f]{32}/;
/** Other ids, secrets, and the parts of a UUID. */
const RANDOM =
  /(?<=\b(?:apr|key|inv|per)_|\bsvc_(?:agent|toolkit)_)[\w-]{12,}|\b[0-9a-f]{8}(?=-[0-9a-f]{4}-)|(?<=-)[0-9a-f]{4}(?=-)|(?<=-[0-9a-f]{4}-)[0-9a-f]{12}\b/;
/** Where the usual port is taken, it is another. */
const PORT = /(?<=localhost:)\d+/;

export async function makeSame(page: Page): Promise<void> {
  await page.evaluate(
    ({ node, random, port }) => {
      // Kept in the page, which is pictured more than once.
      const kept = globalThis as { stoodFor?: Map<string, string> };
      kept.stoodFor ??= new Map();
      const { stoodFor } = kept;
      const other = (found: string): string => {
        const number = stoodFor.size + 1;
        const made =
          stoodFor.get(found) ?? found.replace(/./g, (_, at: number) => ((((number + 3) * (2 * at + 7)) % 97) % 16).toString(16));
        stoodFor.set(found, made);
        stoodFor.set(made, made);
        return made;
      };
      const same = (text: string) =>
        text
          .replace(new RegExp(node, 'g'), '5c0e6f1b97a24d3f8be2a4c7d91f0e36')
          .replace(new RegExp(random, 'g'), other)
          .replace(new RegExp(port, 'g'), '8787');
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const made = same(text.nodeValue ?? '');
        if (made !== text.nodeValue) text.nodeValue = made;
      }
      for (const input of document.querySelectorAll('input')) {
        const made = same(input.value);
        if (made !== input.value) input.value = made;
      }
    },
    { node: NODE.source, random: RANDOM.source, port: PORT.source },
  );
}
