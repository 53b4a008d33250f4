/** `{ keys: 2, action_vectors: 0 }` as `2 keys, 0 action vectors`. */
export function rowCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`)
    .join(', ');
}
