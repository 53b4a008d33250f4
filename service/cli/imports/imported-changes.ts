/** The work of `svc-service toolkits check`, `update` and `approve`: compares sources with their approved pins. */
import { basename, dirname } from 'node:path';
import { SvcError } from 'svc-sdk';
import {
  fetchDocument,
  heldChanges,
  keptDocument,
  openToolkitsFolder,
  pinsOf,
  previewSource,
  type ToolkitEntry,
  type ToolkitPins,
  type ToolkitsFolder,
} from 'svc-service/import';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import type { HeldChanges, ImportPreview } from '#sdk/protocol/imports';
import { untilAborted } from '#sdk/protocol/until-aborted';
import { checkCanAsk, confirm } from '../confirm';
import { plural } from '../finding-texts';
import { interruptible } from '../interruptible';
import { listTokenOf } from './list-token';
import { previewText } from './preview-text';
import { type SourceScope, withSource } from './with-source';

export interface ImportedFlags {
  /** toolkits.yaml */
  file: string;
  listToken?: string;
}

type Comparison = { id: string } & (
  | { state: 'approved'; pins: ToolkitPins }
  /** `accepted`: the entry has `onChange: accept`, so the changes are served. */
  | { state: 'held' | 'accepted'; held: HeldChanges; pins: ToolkitPins }
  | { state: 'unapproved'; preview: ImportPreview; pins: ToolkitPins }
  | { state: 'failed'; problem: string }
);

/** Sets the exit code: 1 if a change is held, not approved or failed. */
export async function checkToolkits(terminal: Terminal, ids: readonly string[], flags: ImportedFlags): Promise<void> {
  const listToken = listTokenFor(ids, flags);
  await interruptible(terminal, async (signal) => {
    const scope = { terminal, folder: await openToolkitsFolder(flags.file), signal, listToken };
    const found: Comparison[] = [];
    for (const id of chosen(scope.folder, ids)) found.push(await compare(scope, id));
    report(terminal, found);
  });
}

/** Writes documents without approval. Sets the exit code like `checkToolkits`. */
export async function updateToolkits(terminal: Terminal, ids: readonly string[], flags: ImportedFlags): Promise<void> {
  await interruptible(terminal, async (signal) => {
    const scope = { terminal, folder: await openToolkitsFolder(flags.file), signal };
    const { entries } = scope.folder;
    const all = chosen(scope.folder, ids);
    const fixed = ids.find((id) => originOf(entries[id]) === undefined);
    if (fixed !== undefined)
      throw new UsageError(`"${fixed}" has no openapi.from to read again; svc-service toolkits check ${fixed} compares it`);
    const updatable = all.filter((id) => originOf(entries[id]) !== undefined);
    if (updatable.length === 0) terminal.note('No toolkit has openapi.from, so no document is read again');
    const found: Comparison[] = [];
    for (const id of updatable) {
      // Before the new document is written: requests that it moves must be visible.
      await completePins(scope, id);
      found.push(await update(scope, id));
    }
    report(terminal, found);
  });
}

export async function approveToolkits(terminal: Terminal, ids: readonly string[], flags: ImportedFlags & { yes?: true }): Promise<void> {
  checkCanAsk(terminal, { yes: flags.yes, look: 'svc-service toolkits check' });
  const listToken = listTokenFor(ids, flags);
  await interruptible(terminal, async (signal) => {
    const scope = { terminal, folder: await openToolkitsFolder(flags.file), signal, listToken, signsIn: true };
    const approved: string[] = [];
    const failed: { id: string; problem: string }[] = [];
    for (const id of chosen(scope.folder, ids)) {
      await completePins(scope, id);
      const comparison = await compare(scope, id, { withTexts: true });
      if (comparison.state === 'failed') {
        failed.push({ id, problem: comparison.problem });
        terminal.note(comparisonText(comparison, terminal.columns));
      } else if (comparison.state !== 'approved') {
        if (!terminal.json) terminal.print(`${comparisonText(comparison, terminal.columns)}\n`);
        if (!flags.yes && !(await confirm(terminal, `Approve ${id}?`, signal))) continue;
        signal.throwIfAborted();
        await scope.folder.approve(id, comparison.pins);
        approved.push(id);
      }
    }
    if (failed.length > 0) terminal.exitCode = 1;
    terminal.show({ approved, failed }, approved.length === 0 ? 'Nothing was approved' : `Approved: ${approved.join(', ')}`);
  });
}

/** No other server may get the token. */
function listTokenFor(ids: readonly string[], { listToken }: ImportedFlags): string | undefined {
  if (listToken !== undefined && new Set(ids).size !== 1) throw new UsageError('--list-token is for one toolkit: name it');
  return listTokenOf(listToken);
}

/** Throws UsageError for an id that is not in the file. */
function chosen({ entries, file }: ToolkitsFolder, ids: readonly string[]): string[] {
  const all = Object.keys(entries);
  if (all.length === 0) throw new SvcError('INVALID_REQUEST', `${file} has no toolkits; svc-service add writes one`);
  const unknown = ids.find((id) => !all.includes(id));
  if (unknown !== undefined) throw new UsageError(`${basename(file)} has no toolkit "${unknown}"; it has ${all.join(', ')}`);
  return ids.length === 0 ? all : [...new Set(ids)];
}

/** A toolkit that cannot be compared does not stop the comparison of the others. */
async function compare(
  scope: SourceScope,
  id: string,
  { document, withTexts = false }: { document?: string; withTexts?: boolean } = {},
): Promise<Comparison> {
  const { entries, pins: all } = scope.folder;
  const entry = entries[id] as ToolkitEntry;
  const pins = Object.hasOwn(all, id) ? all[id] : undefined;
  try {
    return await withSource(scope, { id, entry, pins, document }, async (source): Promise<Comparison> => {
      const now = pinsOf(source);
      if (!pins) return { id, state: 'unapproved', preview: previewSource(id, entry, source), pins: now };
      const held = heldChanges(source, pins, { withTexts });
      if (!held) return { id, state: 'approved', pins: now };
      return { id, state: entry.onChange === 'accept' ? 'accepted' : 'held', held, pins: now };
    });
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    return { id, state: 'failed', problem: error.message };
  }
}

/** Pins of version 0.13 have no requests, and those of 0.14 no shapes of results. The comparison reports a source that cannot be read. */
async function completePins(scope: SourceScope, id: string): Promise<void> {
  const { folder } = scope;
  const entry = folder.entries[id] as ToolkitEntry;
  const pins = Object.hasOwn(folder.pins, id) ? folder.pins[id] : undefined;
  const isWhole = pins && Object.values(pins.actions).every(({ request, resultDescription }) => request && resultDescription);
  if (!('openapi' in entry) || !pins || isWhole) return;
  try {
    const { requests, shapes } = await withSource(scope, { id, entry, pins }, (source) => folder.complete(id, source));
    const note = (parts: string) => scope.terminal.note(`toolkits.lock.json has the ${parts} of ${id} from now on`);
    if (requests > 0) note(`requests of ${plural(requests, 'action')}`);
    if (shapes > 0) note(`shapes of ${plural(shapes, 'result')}`);
  } catch (error) {
    if (!SvcError.is(error)) throw error;
  }
}

async function update(scope: SourceScope, id: string): Promise<Comparison> {
  const { folder } = scope;
  const entry = folder.entries[id] as ToolkitEntry & { openapi: object };
  try {
    const text = await untilAborted(scope.signal, fetchDocument(originOf(entry) ?? '', dirname(folder.file)));
    const { document } = keptDocument(id, entry, text);
    // A document that cannot be imported never replaces a working one.
    const comparison = await compare(scope, id, { document });
    if (comparison.state === 'failed') return comparison;
    scope.signal.throwIfAborted();
    await folder.putDocument(id, document);
    return comparison;
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    return { id, state: 'failed', problem: error.message };
  }
}

function originOf(entry: ToolkitEntry | undefined): string | undefined {
  return entry && 'openapi' in entry ? entry.openapi.from : undefined;
}

function report(terminal: Terminal, found: readonly Comparison[]): void {
  if (found.some(({ state }) => state !== 'approved' && state !== 'accepted')) terminal.exitCode = 1;
  const waiting = found.filter(({ state }) => state === 'held' || state === 'unapproved').map(({ id }) => id);
  if (terminal.json) terminal.printJson({ toolkits: found.map(toJson) });
  else {
    for (const comparison of found) terminal.print(comparisonText(comparison, terminal.columns));
    if (waiting.length > 0) terminal.print(`\nTo serve what is held: npx svc-service toolkits approve ${waiting.join(' ')}`);
  }
}

function toJson(comparison: Comparison): object {
  if (comparison.state === 'failed') return comparison;
  const { pins: _, ...shown } = comparison;
  return shown;
}

function comparisonText(comparison: Comparison, width: number | undefined): string {
  const { id } = comparison;
  switch (comparison.state) {
    case 'approved':
      return `${id}: as it was approved`;
    case 'failed':
      return `${id}: ${comparison.problem}`;
    case 'unapproved':
      return `${previewText(id, comparison.preview, width)}\n  held: not approved yet`;
    case 'accepted':
      return `${id}: ${plural(comparison.held.changes.length, 'change')}, which onChange: accept serves\n\n${indented(comparison.held.diff)}`;
    case 'held':
      return `${id}: ${plural(comparison.held.changes.length, 'change')} held\n\n${indented(comparison.held.diff)}`;
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
