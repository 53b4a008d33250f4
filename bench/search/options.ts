/** `npm run bench:search -- --actions FILE… --toolkits FILE… --queries FILE… [--sizes 1000,10000,all,100000,500000] [--shards N] [--seconds N] [--json FILE]`. */
import { benchCommand, wholeNumber, wholeNumberOrZero } from '../common/command.ts';
import { type Files, withFiles } from '../retrieval/files.ts';
import { GOAL_ACTIONS } from './goals.ts';

export interface ScaleOptions extends Files {
  split: string;
  sizes: (number | 'all')[];
  /** Shards of the largest size; 0 leaves them out. */
  shards: number;
  /** Seconds of load over HTTP; 0 leaves it out. */
  seconds: number;
  json?: string;
}

export function readOptions(args: readonly string[]): ScaleOptions {
  return withFiles(benchCommand('npm run bench:search --'))
    .description('Measures search by the size of the catalogue, on files of the format in bench/README.md.')
    .option('--split <name>', 'which queries: those of this split, and those of none', 'dev')
    .option('--sizes <list>', 'how many actions; more than there are get made of them', readSizes, [
      1_000,
      10_000,
      'all',
      GOAL_ACTIONS,
      500_000,
    ])
    .option('--shards <count>', 'shards of the largest size, 0 for none', wholeNumberOrZero, 8)
    .option('--seconds <count>', 'seconds of load over HTTP, 0 for none', wholeNumberOrZero, 10)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<ScaleOptions>();
}

function readSizes(list: string): (number | 'all')[] {
  return list.split(',').map((size) => (size === 'all' ? size : wholeNumber(size)));
}
