/**
 * A document that holds a term, and with what impact, in 32 bits: 22 for the document, 10 for the impact in steps of a thousandth.
 */
export const IMPACT_BITS = 10;
export const IMPACT_STEPS = 2 ** IMPACT_BITS - 1;
/** Documents that one index can hold. */
export const MAX_DOCUMENTS = 2 ** (32 - IMPACT_BITS);

/** @param impact above 0, at most 1 */
export function posting(document: number, impact: number): number {
  return ((document << IMPACT_BITS) | Math.max(1, Math.round(impact * IMPACT_STEPS))) >>> 0;
}
