/**
 * Limits the rate of an MCP server's log, by lines and by characters. Further lines are counted, and the log contains the count.
 *
 * Shape:  each level has a separate limit, so that a flood on stderr does not hide this program's messages about the server.
 */

import { TokenBucket } from '../../src/lib/token-bucket';
import type { ServerLog, ServerLogListener } from './config';

const LINES = { burst: 200, perSecond: 20 };
const CHARS = { burst: 128 * 1024, perSecond: 8 * 1024 };
const COUNT_AFTER_MS = 1_000;

export function boundedLog(log: ServerLogListener): ServerLogListener {
  const shares = new Map<ServerLog['level'], Share>();
  return (line) => {
    const share = shares.get(line.level) ?? new Share(log, line.level);
    shares.set(line.level, share);
    share.add(line);
  };
}

class Share {
  readonly #log: ServerLogListener;
  readonly #level: ServerLog['level'];
  readonly #lines = new TokenBucket(LINES);
  readonly #chars = new TokenBucket(CHARS);
  #leftOut = 0;

  constructor(log: ServerLogListener, level: ServerLog['level']) {
    this.#log = log;
    this.#level = level;
  }

  add(line: ServerLog): void {
    if (this.#lines.isEmpty || this.#chars.isEmpty) {
      if (this.#leftOut++ === 0) setTimeout(() => this.#logCount(), COUNT_AFTER_MS).unref();
      return;
    }
    this.#lines.take(1);
    this.#chars.take(line.message.length);
    this.#log(line);
  }

  #logCount(): void {
    this.#log({ level: this.#level, message: `${this.#leftOut} line(s) of the server were left out: it writes more than a log can hold` });
    this.#leftOut = 0;
  }
}
