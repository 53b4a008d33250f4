import type { ProgressListener } from 'svc-service';
import { byteCount } from '#sdk/cli/byte-count';
import type { Terminal } from '#sdk/cli/terminal';

/** Faster updates are unreadable. */
const EVERY_MS = 100;

/** Shows the progress of a backup, an export or an import on one line. */
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
