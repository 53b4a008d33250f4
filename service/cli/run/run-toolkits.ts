/** The work of `svc-service run`, loaded on demand. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SvcError } from 'svc-sdk';
import { type ImportEvent, importToolkits } from 'svc-service/import';
import { type Line, oneLine, styled } from '#sdk/cli/line';
import { redactor } from '#sdk/cli/redact';
import type { Terminal } from '#sdk/cli/terminal';
import { plural } from '../finding-texts';
import type { PlaceFlags } from '../place';
import { RunKeys } from './run-keys';

/** Timeout of running calls at the stop; a second Ctrl-C ends them at once. */
const DRAIN_MS = 30_000;

export async function runToolkits(terminal: Terminal, file: string, flags: PlaceFlags): Promise<void> {
  const stopped = terminal.stopped();
  if (!existsSync(file))
    throw new SvcError(
      'INVALID_REQUEST',
      `${resolve(file)} does not exist; "npx svc-service add mcp" and "npx svc-service add openapi" write it`,
    );
  const keys = new RunKeys(file, flags);
  const hopeless = new Hopeless();
  const imports = await importToolkits({
    file,
    keyOf: (id) => keys.of(id),
    onEvent(event) {
      hopeless.note(event);
      showEvent(terminal, event);
    },
  });
  try {
    const ids = (await imports.list()).map(({ id }) => id);
    if (ids.length === 0) throw new SvcError('INVALID_REQUEST', `${resolve(file)} has no toolkits yet; "npx svc-service add mcp" adds one`);
    const ending = await Promise.race([stopped, hopeless.ofAll(ids)]);
    if (ending) throw new SvcError('INVALID_REQUEST', `No toolkit of ${resolve(file)} can be served`);
  } finally {
    await imports.stop({ timeoutMs: DRAIN_MS });
    await keys.close();
  }
}

/** Toolkits that need a change of the files or of the environment. */
class Hopeless {
  readonly #ids = new Set<string>();
  #wanted: readonly string[] = [];
  readonly #all = Promise.withResolvers<true>();

  note(event: ImportEvent): void {
    if (event.event === 'toolkit-online') this.#ids.delete(event.id);
    if (event.event === 'toolkit-offline' && event.retryInMs === undefined) this.#ids.add(event.id);
    this.#check();
  }

  ofAll(ids: readonly string[]): Promise<true> {
    this.#wanted = ids;
    this.#check();
    return this.#all.promise;
  }

  #check(): void {
    if (this.#wanted.length > 0 && this.#wanted.every((id) => this.#ids.has(id))) this.#all.resolve(true);
  }
}

function showEvent(terminal: Terminal, event: ImportEvent): void {
  const redact = redactor(process.env);
  if (terminal.json) terminal.printJsonLine(JSON.parse(redact(JSON.stringify(event))));
  else if (event.event === 'toolkit-online' || event.event === 'changes-held' || event.event === 'toolkit-removed')
    terminal.print(eventLine(event));
  else terminal.note(redact(problemText(event)));
}

type ShownEvent = Extract<ImportEvent, { event: 'toolkit-online' | 'changes-held' | 'toolkit-removed' }>;

function eventLine(event: ShownEvent): Line {
  const { id } = event;
  if (event.event === 'toolkit-removed') return `${id}  removed`;
  if (event.event === 'changes-held') return [`${id}  `, styled('yellow', heldText(id, event.held.changes.length))];
  const held = event.held ? [`; ${heldText(id, event.held.changes.length)}`] : [];
  return [`${id}  `, styled('green', 'online'), `  ${plural(event.actions, 'action')}`, ...held];
}

function heldText(id: string, changes: number): string {
  return `${plural(changes, 'change')} held; to see and approve: npx svc-service toolkits approve ${id}`;
}

function problemText(event: Exclude<ImportEvent, ShownEvent>): string {
  switch (event.event) {
    case 'toolkit-offline': {
      const next = event.retryInMs === undefined ? '' : ` (again in ${Math.ceil(event.retryInMs / 1_000)} s)`;
      return `${event.id}  offline: ${event.problem}${next}`;
    }
    case 'server-log':
      return oneLine(`${event.id}: ${event.level === 'info' ? '' : `${event.level}: `}${event.message}`);
    case 'files-refused':
      return `The files cannot be used; the toolkits go on as they were. ${event.problem}`;
  }
}
