/** `svc-service ledger`: the entries of paid calls, from a running service through its admin API. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { SvcError } from 'svc-sdk';
import { adminService } from '#sdk/cli/environment';
import { notEmpty } from '#sdk/cli/options';
import { type ServiceAddress, serviceStream } from '#sdk/cli/service-request';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { interruptible } from './interruptible';

interface ExportFlags {
  from: Date;
  to: Date;
  key?: string;
  toolkit?: string;
  action?: string;
  format?: 'csv' | 'jsonl';
  output?: string;
  force?: true;
  url?: string;
}

export function addLedgerCommand(program: Command, terminal: Terminal): void {
  const ledger = program.command('ledger').description('Show what paid calls cost');
  ledger
    .command('export')
    .description('Write the entries of paid calls of a running service, oldest first (SVC_BASE_URL, SVC_ADMIN_API_KEY)')
    .requiredOption('--from <time>', 'the first UTC day, such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z', dayOrTime)
    .requiredOption('--to <time>', 'the UTC day or time after the last entry', dayOrTime)
    .option('--key <id>', 'only calls with this agent key', notEmpty())
    .option('--toolkit <id>', 'only calls of this toolkit', notEmpty())
    .option('--action <id>', 'only calls of this action', notEmpty())
    .addOption(new Option('--format <format>', 'csv, or JSON lines (default: csv, with --json jsonl)').choices(['csv', 'jsonl']))
    .option('--output <file>', 'a new file, whole or not at all (default: standard output)', notEmpty())
    .option('--force', 'replace the file when it is there')
    .option('--url <url>', 'the service (default: SVC_BASE_URL)')
    .action((flags: ExportFlags) => exportLedger(terminal, flags));
}

const DAY_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

function dayOrTime(text: string): Date {
  const [, day = ''] = DAY_OR_TIME.exec(text) ?? [];
  // JavaScript parses 30 February as 2 March.
  if (new Date(day).getTime() && new Date(day).toISOString().startsWith(day) && Date.parse(text)) return new Date(text);
  throw new InvalidArgumentError('It is a UTC day, such as 2026-11-01, or an RFC 3339 time, such as 2026-11-01T08:00:00Z.');
}

async function exportLedger(terminal: Terminal, flags: ExportFlags): Promise<void> {
  const { from, to, key, toolkit, action, format = terminal.json ? 'jsonl' : 'csv', output, force, url } = flags;
  if (from >= to) throw new UsageError('--from must be before --to, which is the day or time after the last entry');
  if (output === undefined && terminal.columns !== undefined)
    throw new UsageError(
      'Names in the ledger are texts of strangers, which a terminal would execute: add --output, or redirect the output',
    );
  if (output !== undefined && !force && existsSync(output))
    throw new UsageError(`${output} is there already: name another file, or replace it with --force`);
  const service = adminService(url);
  const filters = { ...(key !== undefined && { key }), ...(toolkit !== undefined && { toolkit }), ...(action !== undefined && { action }) };
  const query = new URLSearchParams({ format, from: from.toISOString(), to: to.toISOString(), ...filters });
  await interruptible(terminal, async (signal) => {
    const entries = await serviceStream(service, `${ADMIN_PATHS.ledger}/export?${query}`, signal);
    const pieces = whole(service, Readable.fromWeb(entries as Parameters<typeof Readable.fromWeb>[0]));
    if (output === undefined) await writeOut(terminal, pieces, signal);
    else await writeFile(output, pieces, signal);
    if (output !== undefined) terminal.note(`Exported to ${resolve(output)}`);
  });
}

/** The connection breaks if the service cannot read the next entries. */
async function* whole(service: ServiceAddress, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    const message = `${service.url} broke off the export: run the command again; its log has the reason`;
    throw new SvcError('SERVICE_UNREACHABLE', message, {}, { cause: error });
  }
}

async function writeOut(terminal: Terminal, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(pieces, terminal.stdout, { signal, end: false });
  } catch (error) {
    // A reader may close the pipe early, such as head.
    if (!terminal.outputClosed) throw error;
  }
}

async function writeFile(path: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    await pipeline(pieces, createWriteStream(unfinished, { flags: 'wx' }), { signal });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (SvcError.is(error) || (error as Error).name === 'AbortError') throw error;
    throw new SvcError('INVALID_REQUEST', `Cannot write ${path}: ${(error as Error).message}`, {}, { cause: error });
  }
}
