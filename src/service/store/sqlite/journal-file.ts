import { writeSync } from 'node:fs';

/** The file holds results of calls: for its owner's eyes. */
export const JOURNAL_MODE = 0o600;

/** All of it, or an error: a full disk can take a part. Returns the number of bytes. */
export function writeAll(file: number, text: string, position = 0): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}
