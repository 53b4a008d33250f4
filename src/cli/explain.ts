/** `svc-sdk explain`: why a search gives an action, or does not. */
import type { Command } from 'commander';
import { SvcError } from 'svc-sdk';
import { type ExplainedFeature, type ExplainRequest, type ExplainResponse, PATHS, type SearchField } from '../protocol/http';
import { columns } from './columns';
import { explainService } from './environment';
import { oneLine } from './line';
import { wholeNumberFrom } from './options';
import { serviceRequest } from './service-request';
import type { Terminal } from './terminal';

interface ExplainOptions {
  limit?: number;
}

const FIELDS: Record<SearchField, string> = {
  name: 'name',
  toolkit: 'toolkit',
  id: 'id',
  description: 'description',
  payload: 'payload',
  toolkitDescription: 'toolkit description',
};

const FEATURES: Record<ExplainedFeature['feature'], string> = {
  words: 'points by words, of the best',
  query: 'words of the query that it has',
  name: 'words of its name in the query',
  description: 'words of its description in the query',
  toolkit: 'points of its toolkit',
  effect: 'it reads, changes or destroys as asked',
  meaning: 'meaning, in standard deviations',
  usage: 'votes of past queries',
};

export function addExplainCommand(program: Command, terminal: Terminal): void {
  program
    .command('explain')
    .description('Why a search gives an action, or does not (SVC_BASE_URL; SVC_AGENT_API_KEY, or the SVC_TOOLKIT_API_KEY of its toolkit)')
    .argument('<action>', 'action id')
    .argument('<words...>', 'the query')
    .option('--limit <n>', 'how many a search gives, 1 to 50 (default: 10)', wholeNumberFrom(1, 50))
    .addHelpText(
      'after',
      `
With an agent key, the search is among the actions that the key allows. With a
toolkit key alone, it is among all actions that are online. For example:
  svc-sdk explain weather__today will it rain`,
    )
    .action(async (action: string, words: string[], options: ExplainOptions) => {
      const answer = await explain({ action, query: words.join(' '), ...(options.limit !== undefined && { limit: options.limit }) });
      terminal.show(answer, explanationText(answer, terminal.columns));
    });
}

async function explain(request: ExplainRequest): Promise<ExplainResponse> {
  const service = explainService();
  if (!service)
    throw new SvcError('INVALID_KEY', 'No key. Set SVC_AGENT_API_KEY, or SVC_TOOLKIT_API_KEY for the actions of your own toolkit');
  return serviceRequest(service, 'POST', PATHS.explain, request);
}

/**
 * An older service answers without `features`.
 *
 * @param width columns of the window; undefined: no limit
 */
function explanationText(
  { action, found, reason, features = [], terms, missing, usage, meaning, score, outrankedBy }: ExplainResponse,
  width: number | undefined,
): string {
  const used = Object.keys(FIELDS).filter((field) => terms.some(({ fields }) => fields[field as SearchField])) as SearchField[];
  const rows = terms.map(({ term, kind, fields }) => [
    kind === 'synonym' ? `(${term})` : term,
    ...used.map((field) => points(fields[field])),
  ]);
  const before = outrankedBy.map(({ action: other, score }) => (score === undefined ? other : `${other} (${points(score)})`));
  const scored = outrankedBy.some((other) => other.score !== undefined);
  const parts = [
    oneLine(`${action} is ${found ? '' : 'not '}found. ${reason}.`),
    ...(rows.length > 0 ? [columns([['word', ...used.map((field) => FIELDS[field])], ...rows], { width, cut: [0] })] : []),
    ...(features.length > 0
      ? [columns([['feature', 'value', 'weight', 'together'], ...features.map(featureRow)], { width, cut: [0] })]
      : []),
    ...(usage > 0 ? [`From use: ${points(usage)}`] : []),
    ...(meaning === undefined ? [] : [`By meaning alone it is number ${meaning}`]),
    ...(missing.length > 0 ? [oneLine(`Words that it has not: ${missing.join(', ')}`)] : []),
    ...(before.length > 0 ? [oneLine(`${scored ? `It has ${score.toFixed(2)}; before it` : 'Before it'}: ${before.join(', ')}`)] : []),
  ];
  return parts.join('\n\n');
}

function featureRow({ feature, value, weight }: ExplainedFeature): string[] {
  return [FEATURES[feature], value.toFixed(2), weight.toFixed(2), (value * weight).toFixed(2)];
}

function points(number = 0): string {
  return number === 0 ? '' : number.toFixed(2);
}
