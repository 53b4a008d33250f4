import { SvcError } from '../../../protocol/errors';

const LINE_FEED = 0x0a;
/** Bytes. A line is a row, and the longest value of one is a result: 1 MB, unless the limit was raised. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Lines without their line feeds; the last one need not have one. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
      yield Buffer.concat([...begun, bytes.subarray(at, end)]);
      begun = [];
      begunBytes = 0;
      at = end + 1;
    }
    begun.push(bytes.subarray(at));
    begunBytes += bytes.length - at;
    if (begunBytes > LONGEST_LINE)
      throw new SvcError('INVALID_REQUEST', `There is a line of more than ${LONGEST_LINE} bytes: this is no export of svc-sdk`);
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}
