/**
 * Reads the text of an OpenAPI document from an http(s) address or a file.
 *
 * Units:  bytes, milliseconds.
 * Errors: INVALID_REQUEST. Messages omit an address's query, which may contain a key.
 */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SvcError } from 'svc-sdk';
import { textOfFile } from '#sdk/protocol/decode-text';
import { reasonOf } from './reason-of';

/** The largest known one has 37 MB. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 60_000;

export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file);
}

/** @param folder where relative files are */
export function fetchDocument(file: string, folder: string): Promise<string> {
  return isAddress(file) ? download(file) : readDocumentFile(resolve(folder, file));
}

async function readDocumentFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_DOCUMENT_BYTES) throw tooLarge(path);
    return textOfFile(await readFile(path), path);
  } catch (error) {
    if (SvcError.is(error)) throw error;
    throw new SvcError('INVALID_REQUEST', `The document ${path} cannot be read: ${(error as Error).message}`, {}, { cause: error });
  }
}

async function download(address: string): Promise<string> {
  if (!URL.canParse(address)) throw new SvcError('INVALID_REQUEST', `${address} is not an address`);
  const { origin, pathname } = new URL(address);
  const shown = origin + pathname;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS), headers: { accept: 'application/json, */*' } });
    if (!response.ok) throw new SvcError('INVALID_REQUEST', `${shown} answered ${response.status}`);
    return await readText(response, shown);
  } catch (error) {
    if (SvcError.is(error)) throw error;
    throw new SvcError('INVALID_REQUEST', `The document ${shown} cannot be fetched: ${reasonOf(error)}`, {}, { cause: error });
  }
}

async function readText({ body }: Response, shown: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_DOCUMENT_BYTES) throw tooLarge(shown);
    chunks.push(chunk);
  }
  return textOfFile(Buffer.concat(chunks), shown);
}

function tooLarge(shown: string): SvcError {
  return new SvcError('INVALID_REQUEST', `The document ${shown} has more than ${MAX_DOCUMENT_BYTES} bytes`);
}
