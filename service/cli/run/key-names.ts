/**
 * Names of the keys that `svc-service run` makes. The next start finds a killed process's keys by these names.
 *
 * Shape: `files (svc-service run, process 4711 of 1f3a9c2b04)`; the last word is a hash of the machine's name and the path of `toolkits.yaml`.
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { isProcessAlive } from '../../import/is-process-alive';

/** Versions up to 0.13 wrote `svc-sdk run`. */
const PROCESS = /\(svc-(?:service|sdk) run, process (?<pid>\d+) of (?<place>[0-9a-f]+)\)$/;
const HASH_CHARS = 10;

export function keyName(toolkit: string, file: string): string {
  return `${toolkit} (svc-service run, process ${process.pid} of ${placeOfFile(file)})`;
}

/** True if a `run` of the file that has exited made the key. Call before the first key of this process: in a container both may have the same pid. */
export function isLeftKey(name: string, file: string): boolean {
  const { pid, place } = PROCESS.exec(name)?.groups ?? {};
  return place === placeOfFile(file) && (Number(pid) === process.pid || !isProcessAlive(Number(pid)));
}

function placeOfFile(file: string): string {
  return createHash('sha256')
    .update(`${hostname()}\n${resolve(file)}`)
    .digest('hex')
    .slice(0, HASH_CHARS);
}
