/**
 * `queries.yaml`: queries of agents, and the actions that each should find.
 *
 * Shape:  will it rain in Rome tomorrow: forecast
 *         compare the weather of two cities: [today, forecast]
 *         An action is its name, or its id if another toolkit offers it.
 * Errors: INVALID_REQUEST with file, line and remedy.
 */
import { readFileSync } from 'node:fs';
import { SvcError } from 'svc-sdk';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { textOfFile } from '#sdk/protocol/decode-text';
import { ACTION_ID_SEPARATOR, formatActionId } from '#sdk/protocol/ids';

export interface GoldenQuery {
  query: string;
  /** Ids. */
  actions: string[];
  line: number;
}

const TWICE = 'this query is here twice; write all its actions in one list: [today, forecast]';
const EXAMPLE = 'write one query a line, such as\n  will it rain in Rome tomorrow: forecast';

export function readGoldenFile(path: string, toolkitId: string): GoldenQuery[] {
  return parseGoldenQueries(readText(path), { path, toolkitId });
}

export function parseGoldenQueries(text: string, { path, toolkitId }: { path: string; toolkitId: string }): GoldenQuery[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const wrong = (offset: number, problem: string) => new SvcError('INVALID_REQUEST', `${path}:${lineAt(offset)}: ${problem}`);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw wrong(fault.pos[0], fault.code === 'DUPLICATE_KEY' ? TWICE : `${fault.message}; ${EXAMPLE}`);
  if (!isMap(document.contents) || document.contents.items.length === 0) throw wrong(0, `the file has no queries; ${EXAMPLE}`);

  const offsetOf = (node: unknown) => (node as Node | null)?.range?.[0] ?? 0;
  return document.contents.items.map(({ key, value }) => {
    const at = offsetOf(key);
    const query = isScalar(key) ? key.value : undefined;
    if (typeof query !== 'string' || query.trim() === '') throw wrong(at, 'a query is a text; put it in quotes: "2024": report');
    const wanted = isSeq(value) ? value.items : [value];
    const actions = wanted.map((item) => {
      const action = isScalar(item) ? item.value : undefined;
      if (typeof action !== 'string' || action.trim() === '')
        throw wrong(offsetOf(item) || at, `"${query}" needs the name of an action, or a list of names: [today, forecast]`);
      return action.includes(ACTION_ID_SEPARATOR) ? action : formatActionId(toolkitId, action);
    });
    if (actions.length === 0) throw wrong(at, `"${query}" has an empty list; name the action that should be found`);
    if (new Set(actions).size < actions.length) throw wrong(at, `"${query}" names an action twice; once is enough`);
    return { query, actions, line: lineAt(at) };
  });
}

function readText(path: string): string {
  try {
    return textOfFile(readFileSync(path), path);
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', `${path} cannot be read: ${(error as Error).message}`, {}, { cause: error });
  }
}
