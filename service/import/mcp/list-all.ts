/**
 * All pages of a server's list, unchecked: the client's methods refuse a whole list for one invalid item.
 *
 * Errors: rejects with a RangeError for endless pages.
 */
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import * as z from 'zod';

const MAX_PAGES = 100;

type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list';

interface Page {
  items: unknown[];
  nextCursor: string | undefined;
}

/** @param member name of the answer's member with the items */
export async function listAll(
  client: Client,
  method: ListMethod,
  member: string,
  maxItems: number,
): Promise<{ items: unknown[]; isCut: boolean }> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page: Page = await listPage(client, method, member, cursor);
    for (const item of page.items) items.push(item);
    if (items.length > maxItems) return { items: items.slice(0, maxItems), isCut: true };
    cursor = page.nextCursor;
    if (cursor === undefined) return { items, isCut: false };
    if (cursors.has(cursor) || cursors.size >= MAX_PAGES) throw new RangeError(`The pages of ${method} have no end`);
    cursors.add(cursor);
  }
}

export async function listPage(
  client: Client,
  method: ListMethod,
  member: string,
  cursor: string | undefined,
  options: RequestOptions = {},
): Promise<Page> {
  const schema = z.looseObject({ [member]: z.array(z.unknown()), nextCursor: z.string().nullish() });
  const page = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, schema, options);
  return { items: page[member] as unknown[], nextCursor: (page.nextCursor as string | null | undefined) || undefined };
}
