/** `npm run bench:search -- --actions FILE… --toolkits FILE… --queries FILE… [--sizes 1000,10000,all,500000] [--shards N] [--seconds N] [--json FILE]`. */
import { Command, InvalidArgumentError } from 'commander';
import { type Files, withFiles } from '../retrieval/files.ts';

export interface ScaleOptions extends Files {
  split: string;
  sizes: (number | 'all')[];
  /** Shards of the largest size; 0 leaves them out. */
  shards: number;
  /** Of load over HTTP; 0 leaves it out. */
  seconds: number;
  json?: string;
}

/** Ends the process with a message when an option is wrong. */
export function readOptions(args: readonly string[]): ScaleOptions {
  return withFiles(new Command('npm run bench:search --'))
    .description('What search costs by the size of the catalogue, on files of the format in bench/README.md.')
    .option('--split <name>', 'which queries: those of this split, and those of none', 'dev')
    .option('--sizes <list>', 'how many actions; more than there are get made of them', readSizes, [1_000, 10_000, 'all', 500_000])
    .option('--shards <count>', 'shards of the largest size, 0 for none', readCount, 8)
    .option('--seconds <count>', 'seconds of load over HTTP, 0 for none', readCount, 10)
    .option('--json <file>', 'write everything as JSON')
    .allowExcessArguments(false)
    .parse(args, { from: 'user' })
    .opts<ScaleOptions>();
}

function readSizes(list: string): (number | 'all')[] {
  return list.split(',').map((size) => (size === 'all' ? size : readSize(size)));
}

function readSize(text: string): number {
  const size = readCount(text);
  if (size === 0) throw new InvalidArgumentError('A size is 1 or more, or "all".');
  return size;
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('It needs a whole number.');
}
