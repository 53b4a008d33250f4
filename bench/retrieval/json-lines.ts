/**
 * Files of one JSON object a line, gzipped or not.
 *
 * Errors: BadInput with file and line.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type ZodType, z } from 'zod';
import { BadInput } from './bad-input.ts';

const GZIP_MAGIC = 0x1f8b;

/** The lines of a file, in order; empty lines are passed over. */
export function readJsonLines<T>(file: string, schema: ZodType<T>): T[] {
  const lines: T[] = [];
  for (const [index, line] of readText(file).split('\n').entries()) {
    if (line.trim() !== '') lines.push(readLine(line, schema, `${file}:${index + 1}`));
  }
  if (lines.length === 0) throw new BadInput(`${file} is empty; it needs one JSON object a line`);
  return lines;
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    const zipped = bytes.length > 2 && bytes.readUInt16BE(0) === GZIP_MAGIC;
    return (zipped ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new BadInput(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function readLine<T>(line: string, schema: ZodType<T>, where: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new BadInput(`${where} is not JSON: ${(error as Error).message}`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new BadInput(`${where} does not fit:\n${z.prettifyError(result.error)}`);
  return result.data;
}
