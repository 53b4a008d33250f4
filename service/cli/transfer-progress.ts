import type { ProgressListener } from 'svc-service';
import { byteCount } from '#sdk/cli/byte-count';
import type { Terminal } from '#sdk/cli/terminal';

/** A faster line cannot be read. */
const EVERY_MS = 100;

/** Shows on one line how far a backup, an export or an import is. */
export function transferProgress(terminal: Terminal, verb: string): ProgressListener {
  let shownAt = Number.NEGATIVE_INFINITY;
  return ({ done, unit, total }) => {
    const now = performance.now();
    if (now - shownAt < EVERY_MS) return;
    shownAt = now;
    const amount = unit === 'bytes' ? byteCount(done) : `${done.toLocaleString('en')} rows`;
    const share = total ? ` ${Math.floor((done / total) * 100)}%,` : '';
    terminal.progress(`${verb}${share} ${amount}`);
  };
}
