/** Whether texts have every word of what somebody looks for, in any case and order. No words are in every text. */
export function hasWords(wanted: string, ...texts: readonly (string | undefined)[]): boolean {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const all = texts.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}
