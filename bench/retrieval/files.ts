/** The files of a catalogue and its queries, as options of a command and as what is in them. */
import type { Command } from 'commander';
import { type Entry, toEntries } from './entries.ts';
import { readJsonLines } from './json-lines.ts';
import { actionLine, type QueryLine, queryLine, toolkitLine } from './lines.ts';

export interface Files {
  actions: string[];
  toolkits: string[];
  queries: string[];
}

export function withCatalogue(command: Command): Command {
  return command
    .requiredOption('--actions <file...>', 'actions, one JSON object a line')
    .requiredOption('--toolkits <file...>', 'toolkits');
}

export function withFiles(command: Command): Command {
  return withCatalogue(command).requiredOption('--queries <file...>', 'queries with the ids of the actions that answer them');
}

/** Throws BadInput. */
export function readFiles({ actions, toolkits, queries }: Files): { entries: Entry[]; lines: QueryLine[] } {
  const entries = toEntries(
    actions.flatMap((file) => readJsonLines(file, actionLine)),
    toolkits.flatMap((file) => readJsonLines(file, toolkitLine)),
  );
  return { entries, lines: queries.flatMap((file) => readJsonLines(file, queryLine)) };
}
