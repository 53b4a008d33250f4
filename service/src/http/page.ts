/** A page of ids in any order. The order may change between pages, so an id may be listed twice or not at all. An unknown cursor ends the list. */
export function pageAfter(ids: readonly string[], { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  const items = cursor !== undefined && start === 0 ? [] : ids.slice(start, start + limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && start + items.length < ids.length ? { nextCursor: last } : {} };
}

/** Returns a page of a sorted list of ids. The cursor is the last id of the previous page, so pages stay correct while the list changes. */
export function page(
  ids: string[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { items: string[]; nextCursor: { nextCursor?: string } } {
  const rest = cursor === undefined ? ids : ids.filter((id) => id > cursor);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rest.length > items.length ? { nextCursor: last } : {} };
}
