/** The options of commands that list page by page, and the reading of the pages. */
import type { Command } from 'commander';
import { notEmpty, wholeNumberFrom } from './options';
import { type ServiceAddress, serviceRequest } from './service-request';
import type { Terminal } from './terminal';

const MOST = 200;

export interface PageFlags {
  limit?: number;
  cursor?: string;
  all?: true;
}

export function addPageFlags(command: Command): Command {
  return command
    .option('--limit <n>', `how many on a page, 1 to ${MOST}`, wholeNumberFrom(1, MOST))
    .option('--cursor <text>', 'the page that follows another, as that one said', notEmpty())
    .option('--all', 'all pages');
}

/**
 * @param path with what filters, without what pages
 * @param itemsOf the list in a page
 */
export async function readPages<Page extends { nextCursor?: string }, Item>(
  service: ServiceAddress,
  { path, query = {}, itemsOf }: { path: string; query?: Record<string, string | undefined>; itemsOf: (page: Page) => Item[] },
  { limit, cursor: first, all }: PageFlags,
): Promise<{ items: Item[]; nextCursor?: string }> {
  const items: Item[] = [];
  let cursor = first;
  do {
    const asked = { ...query, limit: limit === undefined ? undefined : `${limit}`, cursor };
    const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const page: Page = await serviceRequest(service, 'GET', `${path}?${new URLSearchParams(given)}`);
    items.push(...itemsOf(page));
    cursor = page.nextCursor;
  } while (all && cursor !== undefined);
  return { items, ...(cursor !== undefined && { nextCursor: cursor }) };
}

export function noteMore(terminal: Terminal, nextCursor: string | undefined): void {
  if (nextCursor !== undefined) terminal.note(`There are more: add --cursor ${nextCursor}, or --all`);
}
