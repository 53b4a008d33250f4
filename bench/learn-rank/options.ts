/** Options of `npm run learn:rank`. */
import { Option } from 'commander';
import { benchCommand } from '../common/command.ts';
import { type Files, withFiles } from '../retrieval/files.ts';
import { CATALOGUES, type CatalogueChoice } from '../search-eval/options.ts';

export interface LearnOptions extends Files {
  split: string;
  judge: string;
  catalogue: CatalogueChoice;
  /** The output file of the weights, as JSON. */
  out?: string;
}

export function readLearnOptions(args: readonly string[]): LearnOptions {
  return withFiles(benchCommand('npm run learn:rank --'))
    .description('Learns the weights of the second stage of search. The files are those of npm run eval:search.')
    .option('--split <name>', 'which queries to learn from: those of this split, and those of none', 'log')
    .option('--judge <name>', 'which queries to measure the weights on', 'dev')
    .addOption(new Option('--catalogue <name>', 'what is searched').choices(CATALOGUES).default('bench'))
    .option('--out <file>', 'write the weights as JSON, for `svc-service serve --rank-weights`')
    .parse(args, { from: 'user' })
    .opts<LearnOptions>();
}
