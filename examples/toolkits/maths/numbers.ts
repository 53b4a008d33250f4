import { math, tidy } from './math.ts';

export function describeNumbers({ numbers }: { numbers: number[] }) {
  const [lowerQuartile, median, upperQuartile] = math.quantileSeq(numbers, [0.25, 0.5, 0.75]) as number[];
  const facts = {
    count: numbers.length,
    sum: math.sum(numbers),
    mean: math.mean(numbers),
    median,
    lowerQuartile,
    upperQuartile,
    min: math.min(numbers),
    max: math.max(numbers),
    // One number has no spread to estimate.
    standardDeviation: numbers.length > 1 ? Number(math.std(numbers)) : 0,
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, tidy(Number(value))]));
}
