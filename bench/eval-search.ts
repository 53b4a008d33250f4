/**
 * `npm run eval:search -- --actions FILE… --toolkits FILE… --queries FILE… [--split dev] [--catalogue own|bench|all] [--log FILE] [--json OUT]
 * [--first-stage] [--no-peers] [--peer-queries N]`: measures how well search finds the right action, beside other systems on the same documents. bench/README.md
 * explains the figures.
 *
 * Errors: exit 1 with a sentence for a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { WORDS_ALONE } from '../service/src/catalog/search/index.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { endOnBadInput } from './retrieval/bad-input.ts';
import { readFiles } from './retrieval/files.ts';
import { type IndexOrder, indexInProcess } from './retrieval/index-process.ts';
import { readJsonLines } from './retrieval/json-lines.ts';
import { logLine } from './retrieval/lines.ts';
import { differencesOf } from './search-eval/differences.ts';
import { evaluate } from './search-eval/evaluate.ts';
import { effectsOf } from './search-eval/log-effects.ts';
import { meaningsOf } from './search-eval/meaning.ts';
import { readOptions } from './search-eval/options.ts';
import { fts5, fts5Tuned } from './search-eval/peers/fts5.ts';
import { miniSearch } from './search-eval/peers/minisearch.ts';
import { type Catalogue, cataloguesOf, chooseQuestions, firstOfEachSource } from './search-eval/questions.ts';
import {
  formatDifference,
  formatEffects,
  formatFootprint,
  formatSources,
  formatSystems,
  type NamedEvaluation,
} from './search-eval/report.ts';
import { buildSvcIndex } from './search-eval/svc-index.ts';
import { buildAll, type SystemKind } from './search-eval/system.ts';
import { historyOf, toUsageLog } from './search-eval/usage-log.ts';

const PEERS = [fts5, fts5Tuned, miniSearch];

await endOnBadInput(main);

async function main(): Promise<void> {
  const { split, catalogue, ...options } = readOptions(process.argv.slice(2));
  const machine = machineFacts();
  const { entries, lines } = readFiles(options);
  const chosen = chooseQuestions(lines, split, entries);
  const log = options.log === undefined ? undefined : toUsageLog(readJsonLines(options.log, logLine), entries, chosen.questions);
  const notes = [...chosen.notes, ...(log?.notes ?? [])];
  const catalogues = cataloguesOf(catalogue, { entries, questions: chosen.questions, lines });

  console.log(`${describeMachine(machine)}\nsplit ${split}, catalogue ${catalogue}`);
  for (const note of notes) console.log(`note: ${note}`);

  const { built, buildMs } = buildAll(buildSvcIndex, catalogues);
  const lexical = { name: 'svc-sdk', ...evaluate(built), buildMs };
  const meanings = await meaningsOf(catalogues, options);
  const firstStage = options.firstStage
    ? evaluate(buildAll((documents) => buildSvcIndex(documents, WORDS_ALONE), catalogues).built)
    : undefined;
  const embed = (on: boolean) => built.forEach(({ system }, place) => void system.embed(on ? meanings?.[place] : undefined));
  embed(true);
  const withMeaning = meanings && { name: 'svc-sdk with embeddings', ...evaluate(built) };
  embed(false);
  for (const { system } of built) if (log) system.learn(log.searches, options.conversations);
  const withUsage = log && { name: 'svc-sdk with usage', ...evaluate(built) };
  embed(true);
  const withBoth = meanings && log && { name: 'svc-sdk with both', ...evaluate(built) };
  const effects = log && withUsage && effectsOf(lexical.answers, withUsage.answers, historyOf(log.searches));
  const differences = [
    ...(firstStage ? [{ name: 'second stage against the first alone', ...differencesOf(firstStage.answers, lexical.answers) }] : []),
    ...(withUsage ? [{ name: 'usage against words', ...differencesOf(lexical.answers, withUsage.answers) }] : []),
  ];
  const peers = options.peers ? PEERS.map((peer) => evaluatePeer(peer, asking(options.peerQueries, catalogues))) : [];
  const { build, memory } = await indexInProcess(ordersOf(catalogues));

  const own: NamedEvaluation[] = [lexical, withMeaning, withUsage, withBoth].filter((one) => one !== undefined);
  const tables = [
    formatSystems([...own, ...peers]),
    ...own.map(formatSources),
    ...differences.map(({ name, ...difference }) => formatDifference(name, difference)),
    ...(effects ? [formatEffects(effects)] : []),
  ];
  console.log(`\n${[...tables, formatFootprint(build, memory)].join('\n\n')}`);
  if (options.json === undefined) return;
  const result = {
    ...{ split, catalogue, ...figuresOf(withUsage ?? lexical), build, memory },
    ...(effects ? { lexical: figuresOf(lexical), effects } : {}),
    differences: Object.fromEntries(differences.map(({ name, ...difference }) => [name, difference])),
    ...(withMeaning && { embeddings: figuresOf(withMeaning) }),
    ...(withBoth && { both: figuresOf(withBoth) }),
    ...{ peers: Object.fromEntries(peers.map((peer) => [peer.name, { ...figuresOf(peer), build: { ms: peer.buildMs } }])), notes, machine },
  };
  writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
}

/** Peers take up to half a second a query in a large catalogue, so they only answer the first queries of each source. */
function asking(perSource: number, catalogues: readonly Catalogue[]): Catalogue[] {
  return catalogues.map(({ documents, questions }) => ({ documents, questions: firstOfEachSource(questions, perSource) }));
}

function evaluatePeer({ name, build }: SystemKind, catalogues: readonly Catalogue[]) {
  const { built, buildMs } = buildAll(build, catalogues);
  const evaluation = evaluate(built);
  for (const { system } of built) system.close?.();
  return { name, ...evaluation, buildMs };
}

function figuresOf({ pooled, sources, latency }: NamedEvaluation) {
  return { pooled, sources, latency };
}

function* ordersOf(catalogues: readonly Catalogue[]): Generator<IndexOrder> {
  for (const [index, { documents }] of catalogues.entries()) for (const document of documents) yield { index, document };
}
