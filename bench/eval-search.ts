/**
 * `npm run eval:search -- --actions FILE… --toolkits FILE… --queries FILE… [--split dev] [--catalogue own|bench|all] [--json OUT] [--no-peers]`:
 * how well search finds the right action, beside others on the same documents. bench/README.md tells the format and how to read the figures.
 *
 * Errors: exit 1 with a sentence for a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { describeMachine, machineFacts } from './common/machine.ts';
import { BadInput } from './retrieval/bad-input.ts';
import { toEntries } from './retrieval/entries.ts';
import { readJsonLines } from './retrieval/json-lines.ts';
import { actionLine, queryLine, toolkitLine } from './retrieval/lines.ts';
import { evaluate } from './search-eval/evaluate.ts';
import { footprintOf } from './search-eval/footprint.ts';
import { lexical } from './search-eval/lexical.ts';
import { readOptions } from './search-eval/options.ts';
import { fts5, fts5Tuned } from './search-eval/peers/fts5.ts';
import { miniSearch } from './search-eval/peers/minisearch.ts';
import { cataloguesOf, chooseQuestions } from './search-eval/questions.ts';
import { formatFootprint, formatSources, formatSystems } from './search-eval/report.ts';

const PEERS = [fts5, fts5Tuned, miniSearch];

try {
  await main();
} catch (error) {
  if (!(error instanceof BadInput)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const machine = machineFacts();
  const entries = toEntries(
    options.actions.flatMap((file) => readJsonLines(file, actionLine)),
    options.toolkits.flatMap((file) => readJsonLines(file, toolkitLine)),
  );
  const lines = options.queries.flatMap((file) => readJsonLines(file, queryLine));
  const { questions, notes } = chooseQuestions(lines, options.split, entries);
  const catalogues = cataloguesOf(options.catalogue, { entries, questions, lines });

  console.log(describeMachine(machine));
  console.log(`split ${options.split}, catalogue ${options.catalogue}`);
  for (const note of notes) console.log(`note: ${note}`);
  const own = evaluate(lexical, catalogues);
  const peers = (options.peers ? PEERS : []).map((peer) => evaluate(peer, catalogues));
  console.log(`\n${formatSystems([own, ...peers])}\n\n${formatSources(own)}`);
  const footprint = await footprintOf(catalogues);
  console.log(`\n${formatFootprint(footprint)}`);
  if (options.json) {
    const { pooled, sources, latency } = own;
    const { split, catalogue } = options;
    writeFileSync(
      options.json,
      `${JSON.stringify({ split, catalogue, pooled, sources, latency, ...footprint, notes, machine }, null, 2)}\n`,
    );
  }
}
