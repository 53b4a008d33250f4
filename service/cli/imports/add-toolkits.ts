/** The work of `svc-service add`: previews the actions of each source, and writes the approved ones. */
import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { SvcError } from 'svc-sdk';
import {
  fetchDocument,
  isAddress,
  keptDocument,
  openToolkitsFolder,
  pinsOf,
  previewSource,
  type ToolkitEntry,
  type ToolkitPins,
  type ToolkitsFolder,
  withBaseUrl,
} from 'svc-service/import';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import type { ImportPreview } from '#sdk/protocol/imports';
import { untilAborted } from '#sdk/protocol/until-aborted';
import { checkCanAsk, confirm } from '../confirm';
import { interruptible } from '../interruptible';
import { listTokenOf } from './list-token';
import { type McpFlags, mcpEntriesOfFile, mcpEntry } from './mcp-entry';
import { type OpenapiFlags, openapiEntry } from './openapi-entry';
import { previewText } from './preview-text';
import { type SourceScope, withSource } from './with-source';
import { checkDocumentAddress } from './without-literal-secrets';

export interface AddFlags {
  /** toolkits.yaml */
  file: string;
  dryRun?: true;
  yes?: true;
  force?: true;
}

interface Addition {
  id: string;
  entry: ToolkitEntry;
  preview: ImportPreview;
  pins: ToolkitPins;
  document?: string | undefined;
}

interface NotAdded {
  id: string;
  problem: string;
}

export async function addMcp(
  terminal: Terminal,
  words: readonly string[],
  { from, ...flags }: AddFlags & McpFlags & { from?: string },
): Promise<void> {
  const [id = '', ...command] = words;
  if (from === undefined) {
    const entry = mcpEntry(id, command, flags);
    const listing = { listToken: listTokenOf(flags.listToken), signsIn: true };
    return addToolkits(terminal, flags, async (scope) => ({
      added: [await examine({ ...scope, ...listing }, id, entry, flags)],
      left: [],
    }));
  }
  const { toolkits, variables, skipped } = mcpEntriesOfFile(from, words, flags);
  if (variables.length > 0) terminal.note(`The servers of ${from} read these variables of the environment: ${variables.join(', ')}`);
  await addToolkits(terminal, flags, async (scope) => {
    const added: Addition[] = [];
    const left: NotAdded[] = skipped.map(({ what, why }) => ({ id: what, problem: why }));
    for (const [each, entry] of Object.entries(toolkits)) {
      try {
        added.push(await examine(scope, each, entry, flags));
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        left.push({ id: each, problem: error.message });
      }
    }
    return { added, left };
  });
}

export async function addOpenapi(
  terminal: Terminal,
  { id, source }: { id: string; source: string },
  flags: AddFlags & OpenapiFlags,
): Promise<void> {
  const folder = dirname(resolve(flags.file));
  if (isAddress(source)) checkDocumentAddress(source);
  const from = isAddress(source) ? source : relative(folder, resolve(source));
  const wanted = openapiEntry(id, { file: from, from }, flags);
  await addToolkits(terminal, flags, async (scope) => {
    checkIsNew(scope.folder, id, flags);
    const { entry, document } = keptDocument(id, wanted, await untilAborted(scope.signal, fetchDocument(from, folder)));
    return { added: [await examine(scope, id, entry, flags, document)], left: [] };
  });
}

async function addToolkits(
  terminal: Terminal,
  flags: AddFlags & { timeout?: number },
  examineAll: (scope: SourceScope) => Promise<{ added: Addition[]; left: NotAdded[] }>,
): Promise<void> {
  const place = dirname(resolve(flags.file));
  // A server would start in this folder, and the system's error names the program instead.
  if (!existsSync(place)) throw new UsageError(`The folder ${place} does not exist: make it first, or name another --file`);
  if (!flags.dryRun) checkCanAsk(terminal, { yes: flags.yes, look: '--dry-run' });
  await interruptible(terminal, async (signal) => {
    const folder = await openToolkitsFolder(flags.file);
    const { added, left } = await examineAll({ terminal, folder, signal, startTimeoutMs: flags.timeout && flags.timeout * 1_000 });
    for (const { id, preview } of added) if (!terminal.json) terminal.print(`${previewText(id, preview, terminal.columns)}\n`);
    for (const { id, problem } of left) terminal.note(`${id} is left out: ${problem}`);
    if (left.length > 0) terminal.exitCode = 1;
    const isWanted = added.length > 0 && !flags.dryRun && (flags.yes || (await confirm(terminal, questionOf(added, flags), signal)));
    signal.throwIfAborted();
    const write = flags.force ? 'put' : 'add';
    if (isWanted) for (const { id, entry, pins, document } of added) await folder[write](id, entry, pins, document);
    else if (!flags.dryRun) terminal.exitCode = 1;
    report(terminal, { file: folder.file, added, left, isWritten: isWanted });
  });
}

async function examine(scope: SourceScope, id: string, entry: ToolkitEntry, flags: AddFlags, document?: string): Promise<Addition> {
  checkIsNew(scope.folder, id, flags);
  return withSource(scope, { id, entry, document }, async (source) => {
    const whole = await withBaseUrl(entry, source);
    return { id, entry: whole, preview: previewSource(id, whole, source), pins: pinsOf(source), document };
  });
}

function checkIsNew({ entries, file }: ToolkitsFolder, id: string, { force }: AddFlags): void {
  if (force || !Object.hasOwn(entries, id)) return;
  throw new SvcError('CONFLICT', `${basename(file)} has "${id}" already: choose another id, or replace it with --force`);
}

function questionOf(added: readonly Addition[], { file }: AddFlags): string {
  return `Add ${added.map(({ id }) => id).join(', ')} to ${file}?`;
}

function report(
  terminal: Terminal,
  { file, added, left, isWritten }: { file: string; added: readonly Addition[]; left: readonly NotAdded[]; isWritten: boolean },
): void {
  if (terminal.json) {
    terminal.printJson({ file, written: isWritten, toolkits: added.map(({ id, preview }) => ({ id, ...preview })), leftOut: left });
    return;
  }
  if (!isWritten) {
    terminal.print([...added.map(({ preview }) => preview.yaml), 'Nothing was written'].join('\n'));
    return;
  }
  const files = [
    basename(file),
    'toolkits.lock.json',
    ...added.flatMap(({ entry, document }) => (document && 'openapi' in entry ? [entry.openapi.file] : [])),
  ];
  terminal.print(`Written: ${files.join(', ')}. To serve it: npx svc-service run`);
}
