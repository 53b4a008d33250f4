/** True if the texts include every word of `query`, in any case and order. An empty query matches all texts. */
export function includesWords(query: string, ...texts: readonly (string | undefined)[]): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = texts.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}
