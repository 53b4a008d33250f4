/**
 * The tokens that a model used, as an agent reports them with the requests of a session, in the header `Svc-Usage`.
 *
 * Shape:  `"gpt-6";id="u1";input=1200;cached=1024;output=86, …`: a List of Strings with parameters, of RFC 9651.
 * Errors: INVALID_REQUEST names the fault.
 * Source: docs/protocol.md section 5.
 */
import { SvcError } from './errors';

export interface ModelUsage {
  /** The model's name, as the agent writes it: 1 to 128 characters of printable ASCII. */
  model: string;
  /** Unique for each report, `[A-Za-z0-9_-]{1,64}`. A repeated id of the same key and session counts once. */
  id: string;
  inputTokens: number;
  /** The part of the input that the model's provider read from its cache. */
  cachedTokens?: number;
  outputTokens: number;
}

export const MAX_USAGE_CHARS = 1_024;
export const MAX_USAGE_REPORTS = 8;
export const MAX_MODEL_CHARS = 128;
export const MAX_USAGE_TOKENS = 1_000_000_000;

const TEXT = String.raw`"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"`;
const MODEL = new RegExp(TEXT, 'y');
const PARAMETER = new RegExp(String.raw`; *([a-z*][a-z0-9_.*-]*)(?:=(?:${TEXT}|([^\s",;]+)))?`, 'y');
const COMMA = /[ \t]*,[ \t]*/y;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const WHOLE = /^\d{1,10}$/;

/** @throws SvcError INVALID_REQUEST */
export function readUsage(header: string): ModelUsage[] {
  if (header.length > MAX_USAGE_CHARS)
    throw invalid(`it has ${header.length} characters; at most ${MAX_USAGE_CHARS} are allowed, send the rest with the next request`);
  const text = header.trim();
  const reports: ModelUsage[] = [];
  for (let at = 0; at < text.length || reports.length > 0; ) {
    const model = matchAt(MODEL, text, at);
    if (!model) throw unreadable(at);
    at += model[0].length;
    const parameters = new Map<string, string>();
    for (let found = matchAt(PARAMETER, text, at); found; found = matchAt(PARAMETER, text, at)) {
      const [whole, name = '', quoted, bare] = found;
      // A quote keeps a text apart from a number.
      parameters.set(name, quoted === undefined ? (bare ?? '?1') : `"${unescaped(quoted)}`);
      at += whole.length;
    }
    reports.push(toUsage(unescaped(model[1] ?? ''), parameters));
    if (reports.length > MAX_USAGE_REPORTS)
      throw invalid(`it has more than ${MAX_USAGE_REPORTS} reports; send the rest with the next request`);
    if (at === text.length) break;
    const comma = matchAt(COMMA, text, at);
    if (!comma) throw unreadable(at);
    at += comma[0].length;
  }
  return reports;
}

export function writeUsage(reports: readonly ModelUsage[]): string {
  return reports.map(writeReport).join(', ');
}

/** @param usage its id, and a model of printable ASCII */
export function writeReport({ model, id, inputTokens, cachedTokens, outputTokens }: ModelUsage): string {
  const cached = cachedTokens === undefined ? '' : `;cached=${cachedTokens}`;
  return `"${model.replace(/["\\]/g, '\\$&')}";id="${id}";input=${inputTokens}${cached};output=${outputTokens}`;
}

function toUsage(model: string, parameters: ReadonlyMap<string, string>): ModelUsage {
  if (model === '' || model.length > MAX_MODEL_CHARS) throw invalid(`the name of a model has 1 to ${MAX_MODEL_CHARS} characters`);
  const id = parameters.get('id')?.slice(1) ?? '';
  if (!parameters.get('id')?.startsWith('"') || !ID.test(id))
    throw invalid('each report has an id of 1 to 64 characters of A-Z a-z 0-9 _ -, such as id="u1"');
  const [inputTokens, outputTokens] = [tokensOf('input', parameters), tokensOf('output', parameters)];
  if (!parameters.has('cached')) return { model, id, inputTokens, outputTokens };
  const cachedTokens = tokensOf('cached', parameters);
  if (cachedTokens > inputTokens) throw invalid(`cached=${cachedTokens} is a part of input=${inputTokens}, so it cannot be more`);
  return { model, id, inputTokens, cachedTokens, outputTokens };
}

function tokensOf(name: string, parameters: ReadonlyMap<string, string>): number {
  const value = parameters.get(name) ?? '';
  const tokens = WHOLE.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
  if (tokens > MAX_USAGE_TOKENS) throw invalid(`${name} is a whole number of tokens from 0 to ${MAX_USAGE_TOKENS}, such as ${name}=86`);
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

function unreadable(at: number): SvcError {
  return invalid(`it cannot be read from character ${at + 1}; it is a list such as "gpt-6";id="u1";input=1200;output=86`);
}

function invalid(problem: string): SvcError {
  return new SvcError('INVALID_REQUEST', `Svc-Usage: ${problem}`);
}
