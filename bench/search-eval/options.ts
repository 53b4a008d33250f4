/** Options of `npm run eval:search`. */
import { Option } from 'commander';
import { benchCommand, wholeNumber } from '../common/command.ts';
import { type Files, withFiles } from '../retrieval/files.ts';
import { type EmbeddingsFlags, withEmbeddings } from './meaning.ts';

export const CATALOGUES = ['own', 'bench', 'all'] as const;
export type CatalogueChoice = (typeof CATALOGUES)[number];

export interface EvalOptions extends Files, EmbeddingsFlags {
  split: string;
  catalogue: CatalogueChoice;
  /** Past searches, to replay as evidence. */
  log?: string;
  /** The strength of evidence for a search before a reworded one. */
  conversations?: number;
  /** The output file of all figures, as JSON. */
  json?: string;
  /** True to measure the first stage alone too. */
  firstStage: boolean;
  peers: boolean;
  /** The number of queries of a source for the peers. */
  peerQueries: number;
}

export function readOptions(args: readonly string[]): EvalOptions {
  return withEmbeddings(withFiles(benchCommand('npm run eval:search --')))
    .description('How well search finds the right action, on files of the format in bench/README.md. Files may be gzipped.')
    .option('--split <name>', 'which queries: those of this split, and those of none', 'dev')
    .addOption(
      new Option('--catalogue <name>', "what is searched: the actions of the query's own source, of all sources with queries, or all")
        .choices(CATALOGUES)
        .default('all'),
    )
    .option('--log <file>', 'past searches (split "log", or none) to replay as evidence of use: prints what it would change')
    .option(
      '--conversations <strength>',
      'replay the log as conversations: a search that does not show its action counts this much (0 to 1) when the next that shows it is called',
      Number,
    )
    .option('--json <file>', 'write everything as JSON')
    .option('--first-stage', 'compare with the first stage alone, which takes an index of its own', false)
    .option('--no-peers', 'leave FTS5 and MiniSearch out')
    .option(
      '--peer-queries <n>',
      'how many queries of a source FTS5 and MiniSearch are asked, which take up to half a second each',
      wholeNumber,
      50,
    )
    .parse(args, { from: 'user' })
    .opts<EvalOptions>();
}
