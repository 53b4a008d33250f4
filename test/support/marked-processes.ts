/** Processes of this machine by a text in their command line. */
import { readdirSync, readFileSync } from 'node:fs';

/** Process ids. One that ended and was not waited for is not running. */
export function runningWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes(mark) && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`)))
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended since the folder was read.
    return '';
  }
}
