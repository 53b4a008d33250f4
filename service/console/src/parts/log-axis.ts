/** An axis with powers of ten at equal distances. */

/** The powers of ten around the values, which are above 0; null without values. */
export function logRange(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null) return [1, 10];
  const from = 10 ** Math.floor(Math.log10(least));
  const to = 10 ** Math.ceil(Math.log10(most));
  return [from, to > from ? to : from * 10];
}

/** Each power of ten within the range, and what is between if there are few. */
export function logTicks(least: number, most: number): number[] {
  const [first, last] = [Math.round(Math.log10(least)), Math.round(Math.log10(most))];
  const steps = last - first > 2 ? [1] : [1, 2, 5];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => steps.map((step) => exact(step, first + index))).flat();
  return ticks.filter((tick) => tick >= least && tick <= most);
}

/** `2 * 10 ** -1` is 0.2 and not 0.2000…1. */
function exact(step: number, exponent: number): number {
  return Number(`${step}e${exponent}`);
}
