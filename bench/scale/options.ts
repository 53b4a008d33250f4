import { InvalidArgumentError } from 'commander';
import { benchCommand, positiveNumber, wholeNumber } from '../common/command.ts';
import { SIZES, type Size } from './sizes.ts';

export interface ScaleOptions {
  sizes: Size[];
  /** Share of each size, for a quick look. */
  share: number;
  rounds: number;
  sliceSeconds: number;
  json: string | undefined;
}

export function readScaleOptions(args: readonly string[]): ScaleOptions {
  const { only, seconds, ...options } = benchCommand('npm run bench:scale --')
    .option('--only <sizes>', `some of ${SIZES.map(({ name }) => name).join(', ')}`, readSizes, SIZES)
    .option('--share <share>', 'share of each size, for a quick look', positiveNumber, 1)
    .option('--rounds <count>', 'how often each target is measured', wholeNumber, 9)
    .option('--seconds <count>', 'length of a measurement', positiveNumber, 1)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<{ only: Size[]; share: number; rounds: number; seconds: number; json: string | undefined }>();
  return { ...options, sizes: only, sliceSeconds: seconds };
}

function readSizes(list: string): Size[] {
  const names = list.split(',');
  const unknown = names.find((name) => !SIZES.some((size) => size.name === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`The size "${unknown}" is unknown.`);
  return SIZES.filter(({ name }) => names.includes(name));
}
