/** Places where a secret could leak: what a logger got, an export, and all files of a data folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { exportData, type Logger } from 'svc-service';

export function recordingLogger(): { logger: Logger; written: () => string } {
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(message, inspect(fields, { depth: 10, showHidden: true }));
  return { logger: { info: log, warn: log, error: log, isLevelEnabled: () => true }, written: () => lines.join('\n') };
}

export async function exported(folder: string): Promise<string> {
  const lines: string[] = [];
  const to = new Writable({
    write(bytes, _encoding, done) {
      lines.push(String(bytes));
      done();
    },
  });
  await exportData(folder, { to });
  return lines.join('');
}

/** Name -> bytes as Latin-1. */
export function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]));
}
