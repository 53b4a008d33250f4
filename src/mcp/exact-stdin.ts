/**
 * The client's lines for a transport that parses them with `JSON.parse`. A line with a number that loses digits goes around the transport, as a message
 * with an `ExactNumber`, which the client of the service refuses.
 */
import { type Readable, Transform } from 'node:stream';
import { parseExactJson } from '../protocol/exact-number';
import { isUnsafeNumber, quoteNumbers } from '../protocol/number-digits';

const LINE_FEED = 0x0a;

/** @param deliver takes a message, once the lines before it are read */
export function exactStdin(stdin: Readable, deliver: (message: unknown) => void): Transform {
  let pieces: Buffer[] = [];
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      pieces.push(chunk.subarray(0, end));
      if (end > 0) {
        const text = Buffer.concat(pieces).toString();
        pieces = [];
        for (const line of text.split(/(?<=\n)/)) pass(line);
      }
      pieces.push(chunk.subarray(end));
      done();
    },
    flush(done) {
      this.push(Buffer.concat(pieces));
      done();
    },
  });
  const pass = (line: string) => {
    const message = messageOf(line);
    if (message === undefined) lines.push(line);
    else setImmediate(deliver, message);
  };
  return stdin.pipe(lines);
}

/** Undefined for a line that has no such number, or is not JSON. */
function messageOf(line: string): unknown {
  if (quoteNumbers(line, isUnsafeNumber) === line) return undefined;
  try {
    return parseExactJson(line, isUnsafeNumber);
  } catch {
    return undefined;
  }
}
