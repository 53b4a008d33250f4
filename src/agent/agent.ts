/** An agent that people talk to through chat clients. */
import { SvcError } from 'svc-sdk';
import { AgentRun } from './agent-run';
import type { BaseClient } from './chat/base-client';
import type { AgentOptions } from './options';
import { type ReadAgentOptions, readAgentOptions } from './read-options';
import { AgentStore } from './store/agent-store';
import { BUILT_IN_PROMPTS } from './turns/built-in-prompts';

/**
 * ```ts
 * const agent = new Agent({ clients: [new TelegramClient({ botToken })] });
 * agent.setModel('default', 'openai/gpt-5-mini');
 * await agent.run();
 * ```
 */
export class Agent {
  readonly #options: ReadAgentOptions;
  readonly #store: AgentStore;
  readonly #clients = new Map<string, BaseClient>();
  #run: AgentRun | undefined;

  /** @throws SvcError INVALID_REQUEST for an option that is wrong, and for two clients with one id */
  constructor(options: AgentOptions = {}) {
    this.#options = readAgentOptions(options);
    this.#store = new AgentStore(this.#options.store, this.#options.agentId);
    for (const client of options.clients ?? []) this.addClient(client);
  }

  /**
   * Adds a client, before `run()`.
   *
   * @throws SvcError INVALID_REQUEST for a second client with the same id, and while the agent runs
   */
  addClient(client: BaseClient): this {
    const { clientId } = client;
    if (typeof clientId !== 'string' || clientId === '') throw new SvcError('INVALID_REQUEST', 'A client needs a clientId that is a text');
    if (this.#clients.has(clientId)) throw new SvcError('INVALID_REQUEST', `This agent has a client ${clientId} already`);
    if (this.#run) throw new SvcError('INVALID_REQUEST', 'The agent runs: add clients before run()');
    this.#clients.set(clientId, client);
    return this;
  }

  /** All prompts by name: the built-in ones, and those that were set. */
  getAllPrompts(): Record<string, string> {
    return { ...BUILT_IN_PROMPTS, ...this.#store.settings.all('prompt') };
  }

  /** `''` for a name that is unknown. */
  getPrompt(name: string): string {
    const prompts = this.getAllPrompts();
    return Object.hasOwn(prompts, name) ? (prompts[name] as string) : '';
  }

  /** Holds from the next step of every turn on, and after a restart. `''` and null bring the built-in text back. */
  setPrompt(name: string, text: string | null): void {
    this.#store.settings.set('prompt', name, text);
  }

  /** The id of a model. A name that was not set gives that of `default`, then `SVC_MODEL`; `''` without either. */
  getModel(name = 'default'): string {
    const models = this.#store.settings.all('model');
    const set = Object.hasOwn(models, name) ? models[name] : models.default;
    return set ?? process.env.SVC_MODEL ?? '';
  }

  /** @param id such as `openai/gpt-5-mini`; null forgets it */
  setModel(name: string, id: string | null): void {
    this.#store.settings.set('model', name, id);
  }

  /**
   * Serves the clients until `stop()`, until `signal` is aborted, or until SIGINT or SIGTERM.
   *
   * @throws SvcError INVALID_REQUEST without a model or a client, INVALID_KEY without a key; an error that names the client, if one cannot start or
   *         none is left; an error that names the file, if the store cannot be written
   */
  async run({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#run) throw new SvcError('INVALID_REQUEST', 'The agent runs already');
    this.#checkSettings();
    const run = new AgentRun({
      options: this.#options,
      store: this.#store,
      clients: [...this.#clients.values()],
      getPrompt: (name) => this.getPrompt(name),
      getModel: (name) => this.getModel(name),
    });
    this.#run = run;
    try {
      await run.serve(signal);
    } finally {
      this.#run = undefined;
      this.#store.close();
    }
  }

  /** Takes in no more messages, and gives the turns at work 25 seconds. Open turns go on at the next start. */
  async stop(): Promise<void> {
    await this.#run?.stop();
  }

  #checkSettings(): void {
    if (this.#clients.size === 0)
      throw new SvcError('INVALID_REQUEST', 'The agent has no client: pass { clients: […] } or call addClient()');
    if (!this.#options.hasOwnModel && this.getModel() === '')
      throw new SvcError('INVALID_REQUEST', "No model: set SVC_MODEL, or call agent.setModel('default', 'provider/model')");
    if (!(this.#options.apiKey ?? process.env.SVC_AGENT_API_KEY))
      throw new SvcError('INVALID_KEY', 'No agent key. Set SVC_AGENT_API_KEY or pass { apiKey }; `npx svc-sdk keys create` makes one');
  }
}
