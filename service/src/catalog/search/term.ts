/**
 * Terms as numbers: an index of many actions has far more pairs of words than words, and their spellings would be most of its memory.
 *
 * Shape:  32 bits, signed, so that V8 keeps them unboxed. Two spellings that share a number (1 in 4 thousand million) count as the same word.
 * Source: FNV-1a (Fowler, Noll, Vo), over UTF-16 code units.
 */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** @param before the term of the prefix: `term('hub', term('git'))` is `term('github')` */
export function term(spelling: string, before = OFFSET): number {
  let hash = before;
  for (let i = 0; i < spelling.length; i++) hash = Math.imul(hash ^ spelling.charCodeAt(i), PRIME);
  return hash | 0;
}
