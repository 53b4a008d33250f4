import { openSync, rmSync, writeSync } from 'node:fs';

/** The file holds results of calls: for its owner's eyes. */
export const JOURNAL_MODE = 0o600;

/** An empty one. Whoever reads the one that was there, such as a backup, reads it to its end. */
export function beginJournal(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, 'w', JOURNAL_MODE);
}

/** All of it, or an error: a full disk can take a part. Returns the number of bytes. */
export function writeAll(file: number, text: string, position = 0): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}
