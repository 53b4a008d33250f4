/**
 * `toolkits.yaml`, the `toolkits.lock.json` beside it, and the documents that its entries name.
 *
 * Errors: INVALID_REQUEST for an unreadable or invalid file; then no file is written. CONFLICT while another process writes, and for a new entry
 *         with an existing id.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { SvcError } from 'svc-sdk';
import { textOfFile } from '#sdk/protocol/decode-text';
import { isAddress } from './fetch-document';
import { type LockFile, readLockFile, writeLockFile } from './lock-file';
import { completePins, type ImportedToolkit, type ToolkitPins } from './pins';
import { checkEntry, readToolkitsFile, type ToolkitEntry, type ToolkitsFile } from './toolkits-file';
import { withEntry } from './toolkits-yaml';
import { writeAtomically } from './write-atomically';
import { withWriteLock } from './write-lock';

const LOCK_FILE = 'toolkits.lock.json';
const WRITE_LOCK = '.toolkits.writing';

export interface CompletedPins {
  requests: number;
  shapes: number;
}

export interface ToolkitsFolder {
  /** Absolute path of `toolkits.yaml`. */
  readonly file: string;
  /** The entries as written, with `${NAME}` in their texts. */
  readonly entries: ToolkitsFile;
  readonly pins: LockFile;
  /**
   * Adds the entry and its pins. Changes of the files by others since they were read are kept.
   *
   * @param document the text of the entry's file, which is stored in the folder
   */
  add(id: string, entry: ToolkitEntry, pins: ToolkitPins, document?: string): Promise<void>;
  /** Adds or replaces the entry and its pins. Otherwise like `add`. */
  put(id: string, entry: ToolkitEntry, pins: ToolkitPins, document?: string): Promise<void>;
  /** Replaces the document of the entry. The pins stay, so its changes are held. */
  putDocument(id: string, document: string): Promise<void>;
  /** Replaces the pins. */
  approve(id: string, pins: ToolkitPins): Promise<void>;
  /**
   * Adds the source's requests to pins without requests, and bare shapes of results to pins without shapes. Everything else in the pins stays.
   *
   * @returns the numbers of actions whose parts were written
   */
  complete(id: string, source: ImportedToolkit): Promise<CompletedPins>;
}

/** Both files may be missing. */
export async function openToolkitsFolder(file: string): Promise<ToolkitsFolder> {
  const folder = new StoredFolder(resolve(file));
  await folder.read();
  return folder;
}

class StoredFolder implements ToolkitsFolder {
  readonly file: string;
  readonly #lockFile: string;
  #text = '';
  entries: ToolkitsFile = {};
  pins: LockFile = {};

  constructor(file: string) {
    this.file = file;
    this.#lockFile = join(dirname(file), LOCK_FILE);
  }

  async read(): Promise<void> {
    const [text, lock] = await Promise.all([readIfThere(this.file), readIfThere(this.#lockFile)]);
    const entries = readToolkitsFile(text, basename(this.file));
    const pins = lock === '' ? {} : readLockFile(lock);
    this.#text = text;
    this.entries = entries;
    this.pins = pins;
  }

  add(id: string, entry: ToolkitEntry, pins: ToolkitPins, document?: string): Promise<void> {
    return this.#alone(async () => {
      await this.read();
      if (Object.hasOwn(this.entries, id))
        throw new SvcError('CONFLICT', `${basename(this.file)} has "${id}" already: choose another id, or replace it`);
      await this.#write(id, entry, pins, document);
    });
  }

  put(id: string, entry: ToolkitEntry, pins: ToolkitPins, document?: string): Promise<void> {
    return this.#alone(async () => {
      await this.read();
      await this.#write(id, entry, pins, document);
    });
  }

  putDocument(id: string, document: string): Promise<void> {
    return this.#alone(async () => writeAtomically(this.#documentPath(await this.#entry(id)), document));
  }

  approve(id: string, pins: ToolkitPins): Promise<void> {
    return this.#alone(async () => {
      await this.#entry(id);
      await this.#writePins({ ...this.pins, [id]: pins });
    });
  }

  async complete(id: string, source: ImportedToolkit): Promise<CompletedPins> {
    const known = Object.hasOwn(this.pins, id) ? this.pins[id] : undefined;
    const written = { requests: 0, shapes: 0 };
    if (!known || !completePins(source, known)) return written;
    await this.#alone(async () => {
      await this.#entry(id);
      const pins = Object.hasOwn(this.pins, id) ? this.pins[id] : undefined;
      const completed = pins && completePins(source, pins);
      if (!completed) return;
      for (const [name, pin] of Object.entries(completed.actions)) {
        const { request, resultDescription } = pins.actions[name] ?? {};
        if (pin.request && !request) written.requests++;
        if (pin.resultDescription && !resultDescription) written.shapes++;
      }
      await this.#writePins({ ...this.pins, [id]: completed });
    });
    return written;
  }

  /** Two concurrent writers would lose each other's change. */
  #alone(write: () => Promise<void>): Promise<void> {
    return withWriteLock(join(dirname(this.file), WRITE_LOCK), async () => {
      await write();
      await this.read();
    });
  }

  /** The current content of the file. */
  async #entry(id: string): Promise<ToolkitEntry> {
    await this.read();
    const entry = Object.hasOwn(this.entries, id) ? this.entries[id] : undefined;
    if (!entry) throw new SvcError('INVALID_REQUEST', `${this.file} has no toolkit "${id}"`);
    return entry;
  }

  async #write(id: string, entry: ToolkitEntry, pins: ToolkitPins, document: string | undefined): Promise<void> {
    checkEntry(id, entry);
    const text = withEntry(this.#text, id, entry);
    readToolkitsFile(text, basename(this.file));
    // The entry last: pins without an entry have no effect, and an entry without pins is reported.
    if (document !== undefined) await writeAtomically(this.#documentPath(entry), document);
    await this.#writePins({ ...this.pins, [id]: pins });
    await writeAtomically(this.file, text);
  }

  async #writePins(pins: LockFile): Promise<void> {
    await writeAtomically(this.#lockFile, writeLockFile(pins));
  }

  #documentPath(entry: ToolkitEntry): string {
    const named = 'openapi' in entry ? entry.openapi.file : undefined;
    const path = named === undefined || isAddress(named) ? undefined : resolve(dirname(this.file), named);
    const fromFolder = path === undefined ? '' : relative(dirname(this.file), path);
    const isInside = fromFolder !== '' && !isAbsolute(fromFolder) && fromFolder.split(/[\\/]/)[0] !== '..';
    if (path === undefined || !isInside || path === this.file || path === this.#lockFile)
      throw new SvcError('INVALID_REQUEST', `openapi.file: name a file in the folder of ${basename(this.file)}, such as ./github.json`);
    return path;
  }
}

/** '' for a missing file. */
async function readIfThere(path: string): Promise<string> {
  try {
    return textOfFile(await readFile(path), path);
  } catch (error) {
    if (SvcError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new SvcError('INVALID_REQUEST', `${path} cannot be read: ${message}`, {}, { cause: error });
  }
}
