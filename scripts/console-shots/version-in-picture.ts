/**
 * The version of svc-sdk that a picture shows, as a text in the PNG file.
 *
 * Shape:  a `tEXt` chunk `Software` = `svc-sdk <version>` behind the header chunk, which is always the first one and 33 bytes from the start.
 * Source: PNG (third edition), 11.3.3.2 and 5.3.
 */
import { crc32 } from 'node:zlib';

const END_OF_HEADER = 33;
const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
const KEYWORD = 'Software\0svc-sdk ';

/** @param picture without a version */
export function withVersion(picture: Buffer, version: string): Buffer {
  const body = Buffer.from(`tEXt${KEYWORD}${version}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([picture.subarray(0, END_OF_HEADER), length, body, checksum, picture.subarray(END_OF_HEADER)]);
}

/** Undefined for a picture without one. */
export function versionIn(picture: Buffer): string | undefined {
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= picture.length; ) {
    const length = picture.readUInt32BE(at);
    const body = picture.toString('latin1', at + 4, at + 8 + length);
    if (body.startsWith(`tEXt${KEYWORD}`)) return body.slice(4 + KEYWORD.length);
    at += FRAME_BYTES + length;
  }
  return undefined;
}
