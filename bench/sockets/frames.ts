/**
 * A minimal codec for WebSocket frames, since one process holds ten thousand sockets. RFC 6455, section 5.2.
 *
 * Shape:  whole frames only; nothing is sent in fragments here, and neither `ws` nor the service does so below 64 kB.
 */

const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

/** A text frame of a client. Masked with zeros, which leaves the text unchanged. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const short = bytes < LENGTH_IN_16_BITS;
  if (bytes > 0xffff) throw new Error(`A frame of ${bytes} bytes is more than these sockets send`);
  const headBytes = (short ? 2 : 4) + 4;
  const frame = Buffer.alloc(headBytes + bytes);
  frame[0] = FINAL_TEXT;
  frame[1] = MASKED | (short ? bytes : LENGTH_IN_16_BITS);
  if (!short) frame.writeUInt16BE(bytes, 2);
  frame.write(text, headBytes);
  return frame;
}

export interface ServerFrame {
  text: string;
  /** The bytes after the frame. */
  rest: Buffer;
}

/** The first frame, or undefined while it is incomplete. A frame that is not a text frame has an empty text. */
export function readFrame(bytes: Buffer): ServerFrame | undefined {
  if (bytes.length < 2) return undefined;
  const isText = bytes[0] === FINAL_TEXT;
  let start = 2;
  let length = bytes[1] ?? 0;
  if (length === LENGTH_IN_16_BITS) {
    if (bytes.length < 4) return undefined;
    length = bytes.readUInt16BE(2);
    start = 4;
  } else if (length === LENGTH_IN_64_BITS) {
    if (bytes.length < 10) return undefined;
    length = Number(bytes.readBigUInt64BE(2));
    start = 10;
  }
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { text: isText ? bytes.toString('utf8', start, end) : '', rest: bytes.subarray(end) };
}
