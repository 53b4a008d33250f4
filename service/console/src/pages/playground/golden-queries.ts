/**
 * Golden queries that a person saved: a query and the actions that a search should find for it. They stay in this browser until they are downloaded,
 * as the file that `svc-service lint --queries` reads: YAML, of which JSON is a part.
 */
interface SavedQuery {
  query: string;
  actions: readonly string[];
}

const PLACE = 'svc-golden-queries';

export function readGoldenQueries(): SavedQuery[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    return Object.entries(saved as Record<string, string[]>).map(([query, actions]) => ({ query, actions }));
  } catch {
    return [];
  }
}

/** A further action of a known query joins its list. */
export function saveGoldenQuery(query: string, action: string): SavedQuery[] {
  const saved = new Map(readGoldenQueries().map((known) => [known.query, known.actions]));
  saved.set(query, [...new Set([...(saved.get(query) ?? []), action])]);
  localStorage.setItem(PLACE, goldenFile([...saved].map(([of, actions]) => ({ query: of, actions }))));
  return readGoldenQueries();
}

export function removeGoldenQuery(query: string): SavedQuery[] {
  localStorage.setItem(PLACE, goldenFile(readGoldenQueries().filter((known) => known.query !== query)));
  return readGoldenQueries();
}

export function goldenFile(queries: readonly SavedQuery[]): string {
  return `${JSON.stringify(Object.fromEntries(queries.map(({ query, actions }) => [query, actions])), undefined, 2)}\n`;
}
