/** Order statistics of small samples: exact, no interpolation but for the median of an even number. */

/** The smallest value that at least `share` (0 to 1) of all values do not exceed: "nearest rank". NaN when there is none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Spread {
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  max: number;
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    min: percentile(sorted, 0),
    lowerQuartile: percentile(sorted, 0.25),
    median: medianOf(sorted),
    upperQuartile: percentile(sorted, 0.75),
    max: percentile(sorted, 1),
  };
}

function medianOf(sorted: number[]): number {
  const upper = Math.floor(sorted.length / 2);
  const lower = sorted.length % 2 === 0 ? upper - 1 : upper;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}
