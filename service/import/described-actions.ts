/**
 * The `describe` of an entry: its texts, or a file of texts that several entries can share.
 *
 * Shape:  a file is YAML: name of an action -> its description.
 * Errors: INVALID_REQUEST for a file that cannot be read.
 */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SvcError } from 'svc-sdk';
import { parse } from 'yaml';
import { textOfFile } from '#sdk/protocol/decode-text';
import { isObject } from '#sdk/protocol/json-object';
import { reasonOf } from './reason-of';
import type { Presentation } from './toolkits-file';

const MAX_BYTES = 4 * 1024 * 1024;

/** @param folder where a relative file is */
export async function readDescriptions(
  describe: Presentation['describe'],
  folder: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (typeof describe !== 'string') return describe;
  const path = resolve(folder, describe);
  try {
    if ((await stat(path)).size > MAX_BYTES) throw unreadable(path, `it has more than ${MAX_BYTES} bytes`);
    return checked(parse(textOfFile(await readFile(path), path), { maxAliasCount: 0 }), path);
  } catch (error) {
    throw SvcError.is(error) ? error : unreadable(path, reasonOf(error));
  }
}

function checked(texts: unknown, path: string): Record<string, string> {
  if (!isObject(texts)) throw unreadable(path, 'write one line for each action, such as `list_pets: Shows the pets of the shop.`');
  const odd = Object.entries(texts).find(([, text]) => typeof text !== 'string' || text.trim() === '');
  if (odd) throw unreadable(path, `${JSON.stringify(odd[0])} has no text`);
  return texts as Record<string, string>;
}

function unreadable(path: string, why: string): SvcError {
  return new SvcError('INVALID_REQUEST', `The descriptions ${path} cannot be read: ${why}`);
}
