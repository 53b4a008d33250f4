/** Reports the actions that the service rejected, one line on stderr for each, once for as long as the toolkit runs. */
import type { RejectedAction } from '../protocol/frames';

export class SkippedActions {
  readonly #reported = new Set<string>();

  report(rejected: readonly RejectedAction[]): void {
    for (const { action, message } of rejected) {
      const line = `svc-sdk: action "${action}" was rejected and is skipped: ${message}\n`;
      if (this.#reported.has(line)) continue;
      this.#reported.add(line);
      process.stderr.write(line);
    }
  }
}
