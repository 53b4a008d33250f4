/** One `run()` of an agent, from its start to its end. */
import { randomBytes } from 'node:crypto';
import type { ApproverChats } from './approvers/approver-chats';
import type { BaseClient } from './chat/base-client';
import type { MessageContext } from './chat/message-context';
import type { AgentEvent, ClientStateEvent } from './events';
import type { ReadAgentOptions } from './read-options';
import type { AgentStore } from './store/agent-store';
import { patiently, StoreError } from './store/store-error';
import { type ClientLoopOptions, StartFailed, serveClient, stopClient } from './turns/client-loop';
import { ConversationTools } from './turns/conversation-tools';
import { FairSlots } from './turns/fair-slots';
import { Intake } from './turns/intake';
import { Lanes } from './turns/lanes';
import { fillPrompt } from './turns/prompt-texts';
import type { TurnSetup } from './turns/setup';
import { toError } from './turns/turn-scope';

const DRAIN_MS = 25_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface AgentRunOptions {
  options: ReadAgentOptions;
  store: AgentStore;
  clients: readonly BaseClient[];
  getPrompt: (name: string) => string;
  getModel: (name: string) => string;
}

export class AgentRun {
  readonly #options: AgentRunOptions;
  readonly #lanes: Lanes;
  readonly #tools: ConversationTools;
  readonly #intake: Intake;
  #approvers: ApproverChats | undefined;
  readonly #ending = new AbortController();
  readonly #owner = randomBytes(8).toString('hex');
  /** The first error that ends the agent. */
  #fatal: Error | undefined;
  #over: Promise<void> = Promise.resolve();

  constructor(options: AgentRunOptions) {
    this.#options = options;
    const setup = this.#setup();
    this.#tools = setup.tools;
    const { maxConcurrentTurns } = options.options;
    this.#lanes = new Lanes({ setup, maxConcurrentTurns, onFatal: (error) => this.#fail(error) });
    this.#intake = new Intake(setup, this.#lanes, async (clientId, ctx) => (await this.#approvers?.press(clientId, ctx)) ?? false);
  }

  async serve(signal: AbortSignal | undefined): Promise<void> {
    const end = () => this.#ending.abort();
    let signals = 0;
    const onSignal = () => {
      signals += 1;
      // A second signal ends the process without waiting.
      if (signals > 1) process.exit(1);
      end();
    };
    for (const name of SIGNALS) process.on(name, onSignal);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    this.#over = this.#serveClients();
    try {
      await this.#over;
    } finally {
      for (const name of SIGNALS) process.off(name, onSignal);
      signal?.removeEventListener('abort', end);
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    // `run()` rejects with this error.
    await this.#over.catch(() => {});
  }

  async #serveClients(): Promise<void> {
    const { store, clients } = this.#options;
    await this.#deleteOldTurns();
    this.#approvers = await this.#loadApprovers();
    const cleaning = setInterval(() => void this.#deleteOldTurns().catch((error: unknown) => this.#fail(toError(error))), DAY_MS);
    let left = clients.length;
    const loops = clients.map(async (client) => {
      try {
        await serveClient(this.#loopOptions(client));
      } catch (error) {
        const failure = toError(error);
        this.#emit({ type: 'client-state', clientId: client.clientId, state: 'failed', error: failure });
        if (failure instanceof StartFailed || failure instanceof StoreError) this.#fail(failure);
        left -= 1;
        if (left === 0) this.#fail(failure);
      }
    });
    const deciding = this.#approvers?.serve(this.#ending.signal).catch((error: unknown) => this.#fail(toError(error)));
    await Promise.all(loops);
    await deciding;
    clearInterval(cleaning);
    // An agent whose store fails must not act.
    await this.#lanes.end(this.#fatal instanceof StoreError ? 0 : DRAIN_MS);
    const stopped = clients.map((client) => stopClient({ client, store, owner: this.#owner, emit: (event) => this.#emit(event) }));
    await Promise.allSettled([...stopped, this.#tools.flushTokens()]);
    if (this.#fatal) throw this.#fatal;
  }

  #fail(error: Error): void {
    this.#fatal ??= error;
    this.#ending.abort();
  }

  async #deleteOldTurns(): Promise<void> {
    const { store, options } = this.#options;
    await patiently(() => store.turns.deleteFinished(Date.now() - options.retentionDays * DAY_MS));
  }

  #loopOptions(client: BaseClient): ClientLoopOptions {
    return {
      client,
      store: this.#options.store,
      owner: this.#owner,
      lanes: this.#lanes,
      intake: this.#intake,
      accepts: (from, ctx) => this.#accepts(from, ctx),
      emit: (event) => this.#emit(event),
      signal: this.#ending.signal,
    };
  }

  async #accepts({ clientId }: BaseClient, ctx: MessageContext): Promise<boolean> {
    try {
      return (await this.#options.options.accept(ctx, clientId)) === true;
    } catch (error) {
      this.#emit({ type: 'handler-error', handler: 'accept', error: toError(error) });
      return false;
    }
  }

  /** An error of the program's listener must not change a turn: `run()` rejects with the error. */
  #emit(event: AgentEvent): void {
    if (event.type === 'client-state') this.#hold(event);
    try {
      this.#options.options.onEvent(event);
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  /** Approvers get their questions through the clients of this process. */
  #hold({ clientId, state }: ClientStateEvent): void {
    const client = this.#options.clients.find((one) => one.clientId === clientId);
    if (client && state === 'started') this.#approvers?.hold(client);
    else this.#approvers?.leave(clientId);
  }

  /** Most agents have none: they do not load the code. */
  async #loadApprovers(): Promise<ApproverChats | undefined> {
    const { options, store } = this.#options;
    if (!options.approvals) return undefined;
    const { openApprovers } = await import('./approvers/open-approvers');
    const { baseUrl, approvals, limits } = options;
    return openApprovers({ baseUrl, ...approvals, owners: limits.owners, store: store.settings, emit: (event) => this.#emit(event) });
  }

  #setup(): TurnSetup {
    const { options, store, getPrompt, getModel } = this.#options;
    const { agentId, apiKey, baseUrl, askAbove, limits } = options;
    return {
      store,
      ask: options.model,
      toolSlots: new FairSlots(options.toolCallConcurrency),
      tools: new ConversationTools({ apiKey, baseUrl }, { asks: limits.approve !== 'never', askAbove }),
      prompt: (name, clientId, chatId) => fillPrompt(getPrompt(name), { agentId, clientId, chatId }),
      model: getModel,
      emit: (event) => this.#emit(event),
      limits,
    };
  }
}
