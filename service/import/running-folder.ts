/** The served toolkits of a folder: files -> running imports, updated after each change of a file. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type StopOptions, SvcError } from 'svc-sdk';
import type { Importer, ImportPreview, ImportRequest, ImportStatus } from '#sdk/protocol/imports';
import { fetchDocument, isAddress } from './fetch-document';
import { previewSource } from './import-preview';
import { keptDocument } from './kept-document';
import { openSource } from './open-source';
import { type ImportedToolkit, pinsOf, type ToolkitPins } from './pins';
import { reasonOf } from './reason-of';
import { RunningImport, type RunningImportOptions } from './running-import';
import { checkEntry, type ToolkitEntry } from './toolkits-file';
import { openToolkitsFolder, type ToolkitsFolder } from './toolkits-folder';
import { withBaseUrl } from './with-base-url';

/** An editor writes a file in several steps. */
const DEBOUNCE_MS = 200;
/** Timeout of running calls at a former version of a toolkit. */
const REPLACE_MS = 60_000;

export interface RunningImports extends Importer {
  /** Refuses new calls, waits for the running ones, and ends all servers. */
  stop(options?: StopOptions): Promise<void>;
}

interface Running {
  /** Equal while the entry, its pins and its document are unchanged. */
  version: string;
  running: RunningImport;
}

export class RunningFolder implements RunningImports {
  #folder: ToolkitsFolder;
  readonly #options: RunningImportOptions;
  readonly #watcher: FSWatcher;
  readonly #imports = new Map<string, Running>();
  #debounce: NodeJS.Timeout | undefined;
  #reading: Promise<void>;
  #isStopped = false;

  constructor(folder: ToolkitsFolder, options: Omit<RunningImportOptions, 'folder' | 'completePins'>) {
    this.#folder = folder;
    const completePins = (id: string, source: ImportedToolkit) => this.#folder.complete(id, source);
    this.#options = { ...options, folder: dirname(folder.file), completePins };
    this.#watcher = watch(this.#options.folder, () => this.#readSoon()).on('error', () => {});
    this.#reading = this.#apply();
  }

  async preview(request: ImportRequest): Promise<ImportPreview> {
    return (await this.#look(request)).preview;
  }

  async add(request: ImportRequest, sha256: string): Promise<void> {
    const { entry, pins, preview, document } = await this.#look(request);
    if (preview.sha256 !== sha256) throw new SvcError('CONFLICT', 'The source changed since it was shown; look at it again');
    await this.#folder.put(request.id, entry, pins, document);
    await this.#read();
    await this.#imports.get(request.id)?.running.settled;
  }

  async list(): Promise<ImportStatus[]> {
    await this.#reading;
    return [...this.#imports.values()].map(({ running }) => running.status);
  }

  async approve(id: string, sha256: string): Promise<void> {
    await this.#reading;
    const approvable = this.#imports.get(id)?.running.approvable;
    if (approvable?.held.sha256 !== sha256)
      throw new SvcError('CONFLICT', 'The held changes are others than those that were shown; look at them again');
    await this.#folder.approve(id, approvable.pins);
    await this.#read();
    await this.#imports.get(id)?.running.settled;
  }

  async stop(options: StopOptions = {}): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#debounce);
    this.#watcher.close();
    await this.#reading;
    await Promise.all([...this.#imports.values()].map(({ running }) => running.stop(options)));
  }

  async #look({ id, entry: requested, document: uploaded }: ImportRequest) {
    const checked = checkEntry(id, uploaded === undefined ? requested : withAnyFile(requested));
    const { env, folder } = this.#options;
    const kept = await this.#documentToKeep(id, checked, uploaded);
    const { entry = checked, document } = kept ?? {};
    const pins = this.#folder.pins[id];
    const source = await openSource(id, entry, { folder, env, pins, document });
    try {
      const whole = await withBaseUrl(entry, source);
      return { entry: whole, document, pins: pinsOf(source), preview: previewSource(id, whole, source) };
    } finally {
      await source.close();
    }
  }

  /** Undefined for an existing file. */
  async #documentToKeep(id: string, entry: ToolkitEntry, uploaded: string | undefined) {
    if (!('openapi' in entry)) return undefined;
    if (uploaded === undefined && !isAddress(entry.openapi.file)) return undefined;
    return keptDocument(id, entry, uploaded ?? (await fetchDocument(entry.openapi.file, this.#options.folder)));
  }

  #readSoon(): void {
    clearTimeout(this.#debounce);
    this.#debounce = setTimeout(() => void this.#read(), DEBOUNCE_MS);
  }

  #read(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      if (this.#isStopped) return;
      try {
        this.#folder = await openToolkitsFolder(this.#folder.file);
        await this.#apply();
      } catch (error) {
        this.#options.onEvent({ event: 'files-refused', problem: reasonOf(error) });
      }
    });
    return this.#reading;
  }

  async #apply(): Promise<void> {
    const { entries, pins } = this.#folder;
    for (const [id, { running }] of this.#imports) {
      if (Object.hasOwn(entries, id)) continue;
      this.#imports.delete(id);
      void running.stop({ timeoutMs: REPLACE_MS });
      this.#options.onEvent({ event: 'toolkit-removed', id });
    }
    for (const [id, entry] of Object.entries(entries)) await this.#replaceIfChanged(id, entry, pins[id]);
  }

  async #replaceIfChanged(id: string, entry: ToolkitEntry, pins: ToolkitPins | undefined): Promise<void> {
    const version = JSON.stringify([entry, pins, await this.#documentVersion(entry)]);
    const former = this.#imports.get(id);
    if (former?.version === version) return;
    const running = new RunningImport(id, entry, pins, this.#options);
    this.#imports.set(id, { version, running });
    // Both versions serve for a moment, so that no call fails.
    if (former) void running.settled.then(() => former.running.stop({ timeoutMs: REPLACE_MS }));
  }

  async #documentVersion(entry: ToolkitEntry): Promise<string> {
    if (!('openapi' in entry) || isAddress(entry.openapi.file)) return '';
    const found = await stat(resolve(this.#options.folder, entry.openapi.file)).catch(() => undefined);
    return found ? `${found.mtimeMs} ${found.size}` : '';
  }
}

/** The entry of an uploaded document has no file yet. */
function withAnyFile(entry: Record<string, unknown>): Record<string, unknown> {
  return { ...entry, openapi: { file: 'uploaded', ...(entry.openapi as object | undefined) } };
}
