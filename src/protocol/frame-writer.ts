/**
 * Writes the text frames of one event-loop turn to a socket as one buffer: one write and one system call instead of two buffers a frame.
 *
 * Errors: none; what is pending when the stream breaks is lost with it.
 * Source: RFC 6455 section 5.2 (frames) and 5.3 (a client masks each frame with a new, unpredictable key).
 */
import type { Writable } from 'node:stream';

const FINAL_TEXT_FRAME = 0x81;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Frames beyond these are sent within the turn, so that the peer can begin. */
const MAX_PENDING_CHARS = 64 * 1024;
const RANDOM_BYTES = 8 * 1024;

export interface FrameWriterOptions {
  /** False from the beginning of the closing handshake: a frame after the close frame is an error of the protocol. */
  isOpen: () => boolean;
  /** True at the client. */
  masked: boolean;
}

export class FrameWriter {
  readonly #stream: Writable;
  readonly #isOpen: () => boolean;
  readonly #masked: boolean;
  #texts: string[] = [];
  #chars = 0;

  constructor(stream: Writable, { isOpen, masked }: FrameWriterOptions) {
    this.#stream = stream;
    this.#isOpen = isOpen;
    this.#masked = masked;
  }

  send(text: string): void {
    if (this.#texts.length === 0) setImmediate(this.#flush);
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars > MAX_PENDING_CHARS) this.flush();
  }

  /** Call before anything else is written to the stream, such as a close frame. */
  flush(): void {
    const texts = this.#texts;
    if (texts.length === 0) return;
    this.#texts = [];
    this.#chars = 0;
    if (this.#isOpen()) this.#stream.write(this.#frames(texts));
  }

  readonly #flush = () => this.flush();

  #frames(texts: readonly string[]): Buffer {
    const lengths = texts.map((text) => Buffer.byteLength(text));
    const maskBytes = this.#masked ? MASK_BYTES : 0;
    let size = 0;
    for (const length of lengths) size += headerBytes(length) + maskBytes + length;
    const buffer = Buffer.allocUnsafe(size);
    let at = 0;
    for (const [index, text] of texts.entries()) {
      const length = lengths[index] as number;
      at = writeHeader(buffer, at, length, this.#masked ? MASKED : 0);
      const start = at + maskBytes;
      buffer.write(text, start, length);
      if (this.#masked) mask(buffer, at, length);
      at = start + length;
    }
    return buffer;
  }
}

/** Keys for many frames, made at a time. */
const random = new Uint8Array(RANDOM_BYTES);
let randomUsed = RANDOM_BYTES;

/** Writes a new key at `at` and masks the `length` bytes after it. */
function mask(buffer: Buffer, at: number, length: number): void {
  if (randomUsed === RANDOM_BYTES) {
    crypto.getRandomValues(random);
    randomUsed = 0;
  }
  const start = at + MASK_BYTES;
  for (let index = 0; index < MASK_BYTES; index++) {
    const byte = random[randomUsed++] as number;
    buffer[at + index] = byte;
    for (let masked = start + index; masked < start + length; masked += MASK_BYTES) buffer[masked] = (buffer[masked] as number) ^ byte;
  }
}

function headerBytes(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** Returns where the header ends. */
function writeHeader(buffer: Buffer, at: number, length: number, maskBit: number): number {
  buffer[at] = FINAL_TEXT_FRAME;
  if (length < 126) {
    buffer[at + 1] = maskBit | length;
    return at + 2;
  }
  if (length < 65_536) {
    buffer[at + 1] = maskBit | 126;
    return buffer.writeUInt16BE(length, at + 2);
  }
  buffer[at + 1] = maskBit | 127;
  buffer.writeUInt32BE(0, at + 2);
  return buffer.writeUInt32BE(length, at + 6);
}
