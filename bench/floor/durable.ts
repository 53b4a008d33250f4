/**
 * The least that a durable relay can do for a call: one append before it is sent, one before it is answered, each with those of the same
 * event-loop turn, and one finished row, by whose key a retry finds the result, which a thread writes in batches.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Rows of a batch, and milliseconds until one is sent that is not full. */
const BATCH_ROWS = 2_048;
const BATCH_MS = 100;

/** Both call `then` once the line is in the file. Like the service's default, it survives a crash of the process. */
export interface Durable {
  started(id: string, key: string, body: string, then: () => void): void;
  ended(id: string, result: string, then: () => void): void;
}

export function openDurable(folder: string): Durable {
  const file = openSync(join(folder, 'journal'), 'a');
  const rows = new Worker(new URL('rows-thread.ts', import.meta.url), { workerData: join(folder, 'rows.db') });
  const keys = new Map<string, string>();
  let lines: string[] = [];
  let waiting: (() => void)[] = [];
  let batch: string[] = [];
  const flush = () => {
    writeSync(file, lines.join(''));
    const written = waiting;
    lines = [];
    waiting = [];
    for (const then of written) then();
  };
  const append = (line: string, then: () => void) => {
    if (waiting.push(then) === 1) setImmediate(flush);
    lines.push(line);
  };
  const send = () => {
    if (batch.length > 0) rows.postMessage(batch);
    batch = [];
  };
  setInterval(send, BATCH_MS);
  return {
    started(id, key, body, then) {
      keys.set(id, key);
      append(`${id} ${key} ${body}\n`, then);
    },
    ended(id, result, then) {
      append(`${id} ${result}\n`, () => {
        then();
        if (batch.push(`${keys.get(id)}`, result) === 2 * BATCH_ROWS) send();
        keys.delete(id);
      });
    },
  };
}
