/**
 * A served entry of `toolkits.yaml`: retries with full jitter if its source or the service is unreachable, and waits for a change of the files if a
 * retry cannot succeed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type StopOptions, SvcError, type Toolkit, type ToolkitOptions, type ToolkitStatus } from 'svc-sdk';
import type { HeldChanges, ImportStatus } from '#sdk/protocol/imports';
import { Backoff } from '#sdk/toolkit/backoff';
import { readDescriptions } from './described-actions';
import { DescribedToolkit } from './described-toolkit';
import { isAddress } from './fetch-document';
import { describeChanges, heldChanges } from './held-changes';
import type { ImportEvent } from './import-event';
import { isHttp, type McpConfig, type ServerLog } from './mcp/config';
import { mcpToolkit } from './mcp/mcp-toolkit';
import { type OpenSource, openSource, serverConfig } from './open-source';
import { comparePins, type ImportedToolkit, pinsOf, pinsWithChanges, type ToolkitPins } from './pins';
import { reasonOf } from './reason-of';
import { entryRedactor, variableValues } from './source-redactor';
import { type Env, type Presentation, type ToolkitEntry, withVariables } from './toolkits-file';
import type { CompletedPins } from './toolkits-folder';

export interface RunningImportOptions {
  folder: string;
  baseUrl: string | undefined;
  env: Env;
  keyOf(id: string): Promise<string>;
  onEvent(event: ImportEvent): void;
  /** Writes the missing requests and shapes of pins of version 0.14 and earlier, and returns their numbers. */
  completePins(id: string, source: ImportedToolkit): Promise<CompletedPins>;
}

/** Only another key or a change of the files can fix the failure. */
const FINAL = new Set(['INVALID_REQUEST', 'INVALID_KEY', 'WRONG_KEY_KIND', 'INVALID_ACTION', 'FORBIDDEN']);

export class RunningImport {
  readonly #id: string;
  readonly #entry: ToolkitEntry;
  readonly #pins: ToolkitPins | undefined;
  readonly #options: RunningImportOptions;
  readonly #settled = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #toolkit: Toolkit | undefined;
  /** The current source, if it differs from the approved one. */
  #changed: { now: ImportedToolkit; held: HeldChanges } | undefined;
  #state: Pick<ImportStatus, 'state' | 'problem' | 'actions'> = { state: 'starting', actions: 0 };

  constructor(id: string, entry: ToolkitEntry, pins: ToolkitPins | undefined, options: RunningImportOptions) {
    this.#id = id;
    this.#entry = entry;
    this.#pins = pins;
    this.#options = options;
    this.#ended = this.#serve();
  }

  /** Resolves when the toolkit is online, or at its first failure. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get status(): ImportStatus {
    const held = this.#changed?.held;
    return { id: this.#id, source: sourceText(this.#entry), ...this.#state, ...(held && { held }) };
  }

  /** The held changes, and the pins that approve them. */
  get approvable(): { held: HeldChanges; pins: ToolkitPins } | undefined {
    if (!this.#changed) return undefined;
    const { now, held } = this.#changed;
    return { held, pins: this.#pins ? pinsWithChanges(now, this.#pins) : pinsOf(now) };
  }

  async stop(options: StopOptions = {}): Promise<void> {
    await this.#toolkit?.stop(options);
    // Ends a starting server, and the wait for the next try.
    this.#stopping.abort();
    await this.#ended;
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stopping;
    const backoff = new Backoff(Math.random);
    while (!signal.aborted) {
      try {
        this.#toolkit = await this.#open();
        if (signal.aborted) await this.#toolkit.stop();
        else await this.#toolkit.run();
        break;
      } catch (error) {
        this.#toolkit = undefined;
        if (signal.aborted) break;
        const retryInMs = this.#isFinal(error) ? undefined : backoff.nextMs();
        this.#reportOffline('failed', reasonOf(error), retryInMs);
        if (retryInMs === undefined) break;
        await sleep(retryInMs, undefined, { signal }).catch(() => {});
      }
    }
    this.#settled.resolve();
  }

  async #open(): Promise<Toolkit> {
    const entry = withVariables(this.#entry, this.#options.env);
    if (this.#pins === undefined && entry.onChange !== 'accept') await this.#refuseUnapproved();
    const toolkit: ToolkitOptions = {
      apiKey: await this.#options.keyOf(this.#id),
      baseUrl: this.#options.baseUrl,
      onStatus: (status) => this.#onStatus(status),
      onRejected: 'skip',
    };
    return 'mcp' in entry ? this.#openServer(entry, toolkit) : this.#openDocument(toolkit);
  }

  async #openServer({ mcp, ...presentation }: Presentation & { mcp: McpConfig }, toolkit: ToolkitOptions): Promise<Toolkit> {
    return mcpToolkit({
      ...presentation,
      describe: await readDescriptions(presentation.describe, this.#options.folder),
      server: serverConfig(mcp, this.#options.folder),
      toolkitId: this.#id,
      toolkit,
      pins: this.#pins,
      secrets: variableValues(this.#entry, this.#options.env),
      signal: this.#stopping.signal,
      onLog: ({ level, message }) => this.#log(level, message),
      onCompleted: (now) => void this.#completePins(now),
      onHeld: (changes, now) => {
        if (presentation.onChange !== 'accept') this.#hold(changes.length === 0 ? undefined : { now, held: describeChanges(changes) });
      },
    });
  }

  async #openDocument(options: ToolkitOptions): Promise<Toolkit> {
    const { folder, env } = this.#options;
    const pins = this.#entry.onChange === 'accept' ? undefined : this.#pins;
    const source = await openSource(this.#id, this.#entry, { folder, env, pins: this.#pins });
    const served = new Map((pins ? comparePins(source, pins).served : source.actions).map((action) => [action.action, action]));
    const held = pins && heldChanges(source, pins);
    const toolkit = new DescribedToolkit(options);
    const actions = source.presented.flatMap((action) => {
      const approved = served.get(action.action);
      return approved ? [{ ...action, resultDescription: action.resultDescription && approved.resultDescription }] : [];
    });
    const auth = source.authOf(actions.map(({ action }) => action));
    await toolkit.updateToolkit({ ...(pins ?? source).toolkit, ...(auth && { auth }) });
    toolkit.setActions(actions);
    void toolkit.describe(source.profile);
    this.#changed = held && { now: source, held };
    if (pins) await this.#completePins(source, source.targets);
    return toolkit;
  }

  async #completePins(source: ImportedToolkit, targets: OpenSource['targets'] = []): Promise<void> {
    try {
      const { requests, shapes } = await this.#options.completePins(this.#id, source);
      const addresses = targets.map(({ address }) => address).join(', ');
      if (requests > 0)
        this.#log('info', `toolkits.lock.json has the requests of ${requests} actions from now on; they go to ${addresses}`);
      if (shapes > 0) this.#log('info', `toolkits.lock.json has the shapes of ${shapes} results from now on, without their texts`);
    } catch (error) {
      this.#log('warn', `The requests and shapes of the actions cannot be written to toolkits.lock.json: ${reasonOf(error)}`);
    }
  }

  /** Reports the changes to approve. */
  async #refuseUnapproved(): Promise<never> {
    const { folder, env } = this.#options;
    const source = await openSource(this.#id, this.#entry, { folder, env, signal: this.#stopping.signal });
    await source.close();
    const held = heldChanges(source);
    this.#changed = held && { now: source, held };
    throw new SvcError(
      'INVALID_REQUEST',
      `Nothing of it is approved yet; to look at it and approve it: svc-service toolkits approve ${this.#id}`,
    );
  }

  #hold(changed: { now: ImportedToolkit; held: HeldChanges } | undefined): void {
    this.#changed = changed;
    if (changed) this.#options.onEvent({ event: 'changes-held', id: this.#id, held: changed.held });
  }

  #onStatus(status: ToolkitStatus): void {
    if (status.state === 'connected') {
      const wasOnline = this.#state.state === 'online';
      const actions = status.accepted.length;
      this.#state = { state: 'online', actions };
      for (const { action, message } of status.rejected) this.#log('warn', `The service rejected ${action}: ${message}`);
      const held = this.#changed?.held;
      if (!wasOnline) this.#options.onEvent({ event: 'toolkit-online', id: this.#id, actions, ...(held && { held }) });
      this.#settled.resolve();
    }
    if (status.state === 'disconnected') this.#reportOffline('starting', status.reason.message, status.retryInMs);
  }

  /** Reports a problem once, not at every retry. */
  #reportOffline(state: 'starting' | 'failed', message: string, retryInMs: number | undefined): void {
    const problem = this.#redacted(message);
    const isNews = problem !== this.#state.problem || retryInMs === undefined;
    this.#state = { state, problem, actions: 0 };
    if (isNews) this.#options.onEvent({ event: 'toolkit-offline', id: this.#id, problem, ...(retryInMs !== undefined && { retryInMs }) });
    this.#settled.resolve();
  }

  #log(level: ServerLog['level'], message: string): void {
    this.#options.onEvent({ event: 'server-log', id: this.#id, level, message: this.#redacted(message) });
  }

  #redacted(text: string): string {
    return entryRedactor(this.#entry, this.#options.env).text(text);
  }

  #isFinal(error: unknown): boolean {
    const mayBeFetched = 'openapi' in this.#entry && isAddress(this.#entry.openapi.file);
    return SvcError.is(error) && FINAL.has(error.code) && !mayBeFetched;
  }
}

/** Contains no secret: addresses have no query, and variables only their name. */
function sourceText(entry: ToolkitEntry): string {
  if ('openapi' in entry) return withoutQuery(entry.openapi.file);
  const { mcp } = entry;
  return isHttp(mcp) ? withoutQuery(mcp.url) : [mcp.command, ...(mcp.args ?? [])].join(' ');
}

function withoutQuery(address: string): string {
  if (!isAddress(address) || !URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
