/** Durable data as files: backups of a data directory, exports of any data, imports of an export into new data. */
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '#sdk/protocol/errors';
import { type DataPlace, existingFileIn, locationOf, requireSqlite } from '../store/location';
import { openKeyStore } from '../store/open-store';
import { explained } from '../store/sqlite/connection';
import { exportLines } from '../store/transfer/export';
import { noRows, type RowCounts } from '../store/transfer/format';
import { importLines } from '../store/transfer/import';
import { writeNewFile } from '../store/transfer/new-file';
import { openTarget, openTransferSource } from '../store/transfer/places';

/** Progress of a backup, an export or an import. */
export interface TransferProgress {
  /** Rows written, or bytes read. */
  done: number;
  unit: 'rows' | 'bytes';
  /** Absent when unknown before the end. */
  total?: number;
}

export type ProgressListener = (progress: TransferProgress) => void;

interface FileOptions {
  /** Replaces an existing file. Default: false. */
  force?: boolean | undefined;
  /** Aborts the transfer: the promise rejects with an AbortError and no file is left. */
  signal?: AbortSignal | undefined;
  /** Called often during the transfer. */
  onProgress?: ProgressListener | undefined;
}

export interface BackupOptions extends FileOptions {
  /** Path of the file. The file is written atomically with mode 0600. */
  to: string;
}

export interface ExportOptions extends FileOptions {
  /** Path of the file, which is written atomically with mode 0600; or a stream, which stays open. */
  to: string | ByteSink;
}

/** A writable stream of Node, such as `process.stdout`, typed without Node's types. */
export interface ByteSink {
  write(bytes: Uint8Array): boolean;
  end(): unknown;
}

export interface ImportOptions {
  /** Path of a file, or its bytes. */
  from: string | AsyncIterable<Uint8Array>;
  /** Called often during the transfer. */
  onProgress?: ProgressListener | undefined;
}

/**
 * Copies a data directory into one SQLite file, which can be used as `svc.sqlite` of another data directory. A service may run on the data.
 * Rejects with SvcError NOT_FOUND, INVALID_REQUEST.
 */
export async function backupData(data: string, { to, force = false, signal, onProgress }: BackupOptions): Promise<void> {
  requireSqlite();
  const from = existingFileIn(data);
  const { backupSqlite } = await import('../store/sqlite/backup');
  await writeNewFile(to, { force }, (unfinished) =>
    backupSqlite({ from, to: unfinished, signal, onRows: (done, total) => onProgress?.({ done, unit: 'rows', total }) }),
  );
  await noteBackup(from);
}

/** The service shows the time of its last backup. Data of an older version, or that may not be written, have no place for it: the copy is good. */
async function noteBackup(path: string): Promise<void> {
  const { noteBackupInFile } = await import('../store/sqlite/note-backup');
  await noteBackupInFile(path).catch(() => {});
}

/**
 * Records that another program backed up the data, such as `pg_dump`: the service shows the time of the last backup, and an alert when it is old.
 * Rejects with SvcError NOT_FOUND, INVALID_REQUEST.
 */
export async function recordBackup(data: DataPlace): Promise<void> {
  const store = await openKeyStore(locationOf(data), { create: false });
  try {
    await store.system.recordBackup();
  } finally {
    await store.close();
  }
}

/**
 * Writes a snapshot of all durable data as JSON lines, the same bytes for the same data. A service may run on the data. Resolves with the
 * rows of each table. Rejects with SvcError NOT_FOUND, INVALID_REQUEST.
 */
export async function exportData(data: DataPlace, { to, force = false, signal, onProgress }: ExportOptions): Promise<RowCounts> {
  const source = await openTransferSource(data);
  try {
    const counts = noRows();
    const lines = readable(
      withProgress(exportLines(source, counts), () => onProgress?.({ done: sumOf(counts), unit: 'rows' })),
      data,
    );
    if (typeof to !== 'string') await writeStream(lines, to, signal);
    else await writeNewFile(to, { force }, (unfinished) => pipeline(lines, createWriteStream(unfinished), { signal }));
    return counts;
  } finally {
    await source.close();
  }
}

/**
 * Imports an export into new or empty data, in one transaction. Resolves with the rows of each table. Rejects with SvcError INVALID_REQUEST
 * for an incomplete export, for data that are not empty, and while a service runs on them.
 */
export async function importData(data: DataPlace, { from, onProgress }: ImportOptions): Promise<RowCounts> {
  if (typeof from !== 'string') return importPieces(data, withBytesRead(from, undefined, onProgress));
  // Opened before the data: a mistyped file name must not create a data directory.
  const file = await open(from).catch((error: unknown) => {
    throw unreadable(from, error);
  });
  try {
    const pieces = readFile(from, file.createReadStream({ autoClose: false }));
    return await importPieces(data, withBytesRead(pieces, (await file.stat()).size, onProgress));
  } finally {
    await file.close();
  }
}

async function importPieces(data: DataPlace, pieces: AsyncIterable<Uint8Array>): Promise<RowCounts> {
  const target = await openTarget(data);
  try {
    const counts = await importLines(target, pieces);
    await target.commit();
    return counts;
  } finally {
    await target.close();
  }
}

async function* withProgress<Piece>(pieces: AsyncIterable<Piece>, onPiece: (piece: Piece) => void): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    onPiece(piece);
    yield piece;
  }
}

function withBytesRead(
  pieces: AsyncIterable<Uint8Array>,
  total: number | undefined,
  onProgress: ProgressListener | undefined,
): AsyncIterable<Uint8Array> {
  let done = 0;
  return withProgress(pieces, ({ length }) => {
    done += length;
    onProgress?.({ done, unit: 'bytes', ...(total !== undefined && { total }) });
  });
}

function sumOf(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Attributes an error to the data that are read, not to the file that is written. */
async function* readable(lines: AsyncIterable<Buffer>, data: DataPlace): AsyncGenerator<Buffer> {
  try {
    yield* lines;
  } catch (error) {
    const where = typeof data === 'string' ? data : 'the database';
    throw explained(error, `Cannot read ${where}`, where);
  }
}

async function writeStream(lines: AsyncIterable<Buffer>, to: ByteSink, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pipeline(lines, to as Writable, { signal, end: false });
  } catch (error) {
    throw explained(error, 'Cannot write the export', 'the stream');
  }
}

async function* readFile(path: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): SvcError {
  return new SvcError(
    'INVALID_REQUEST',
    `Cannot read ${path}: ${(error as Error).message}; name a file that svc-service export wrote`,
    {},
    { cause: error },
  );
}
