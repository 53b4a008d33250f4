/**
 * The place of the secrets keys: the setting, and beside a data directory the file `secrets.key`, which the first use makes. A database has no
 * such file, since its nodes share no disk: without the setting it has no keys.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '#sdk/protocol/errors';
import { randomBase62 } from '../keys/base62';
import { SecretKeys } from './secret-keys';

export const SECRETS_KEY_VARIABLE = 'SVC_SECRETS_KEY';
const FILE = 'secrets.key';

export interface SecretKeysSetting {
  /** The option `secretsKey`. */
  secretsKey: string | undefined;
  data: string | undefined;
  database: string | undefined;
}

interface KeyText {
  text: string;
  /** Its name, for errors. */
  what: string;
}

export class SecretKeysSource {
  readonly #data: string | undefined;
  readonly #set: KeyText | undefined;
  /** False: the operator has to set a key before a connection can be kept. */
  readonly hasKeys: boolean;
  /** The data are in a database, which other nodes may use. */
  readonly isDatabase: boolean;
  #texts: readonly KeyText[] | undefined;
  readonly #opened = new Map<string | undefined, SecretKeys>();

  /**
   * Reads the setting at once, and the file with the first use.
   *
   * @throws SvcError INVALID_REQUEST
   */
  constructor({ secretsKey, data, database }: SecretKeysSetting) {
    this.#data = data;
    this.#set = secretsKey === undefined ? undefined : { text: secretsKey, what: SECRETS_KEY_VARIABLE };
    if (this.#set) read(this.#set);
    this.isDatabase = database !== undefined;
    this.hasKeys = this.#set !== undefined || !this.isDatabase;
  }

  /**
   * Undefined without keys. Throws INVALID_REQUEST for an unusable file.
   *
   * @param purpose Default: connections
   */
  open(purpose?: string): SecretKeys | undefined {
    if (!this.hasKeys) return undefined;
    let keys = this.#opened.get(purpose);
    if (!keys) {
      this.#texts ??= textsBeside(this.#data, this.#set);
      keys = this.#texts.map((text) => read(text, purpose)).reduce((first, other) => first.and(other));
      this.#opened.set(purpose, keys);
    }
    return keys;
  }
}

function read({ text, what }: KeyText, purpose?: string): SecretKeys {
  return SecretKeys.read(text, what, purpose);
}

/** The first seals. Data that got a setting later keep what the file sealed. */
function textsBeside(data: string | undefined, set: KeyText | undefined): KeyText[] {
  if (data === undefined) return [set ?? { text: newKey(), what: FILE }];
  const path = join(data, FILE);
  const text = readIfThere(path);
  const file = text === undefined ? [] : [{ text, what: path }];
  if (set) return [set, ...file];
  return file.length > 0 ? file : [{ text: makeFile(path), what: path }];
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** Whole or not at all, and on the disk before the first secret is sealed with it. */
function makeFile(path: string): string {
  const text = newKey();
  try {
    const file = openSync(`${path}.new`, 'w', 0o600);
    try {
      writeSync(file, `${text}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
    return text;
  } catch (error) {
    throw unusable(path, error);
  }
}

function newKey(): string {
  return `${randomBase62(8)}:${randomBytes(32).toString('base64')}`;
}

function unusable(path: string, error: unknown): SvcError {
  const message = `Cannot use ${path}, the key of stored secrets: ${(error as Error).message}`;
  return new SvcError('INVALID_REQUEST', message, {}, { cause: error });
}
