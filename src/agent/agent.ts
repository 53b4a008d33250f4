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

  /** @throws SvcError INVALID_REQUEST for an invalid option, and for two clients with one id */
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
    if (typeof clientId !== 'string' || clientId === '')
      throw new SvcError('INVALID_REQUEST', 'A client needs a clientId that is a non-empty text');
    if (this.#clients.has(clientId)) throw new SvcError('INVALID_REQUEST', `This agent has a client ${clientId} already`);
    if (this.#run) throw new SvcError('INVALID_REQUEST', 'The agent runs: add clients before run()');
    this.#clients.set(clientId, client);
    return this;
  }

  /** All prompts by name: the built-in prompts and the prompts that were set. */
  getAllPrompts(): Record<string, string> {
    return { ...BUILT_IN_PROMPTS, ...this.#store.settings.all('prompt') };
  }

  /** Returns `''` for an unknown name. */
  getPrompt(name: string): string {
    const prompts = this.getAllPrompts();
    return Object.hasOwn(prompts, name) ? (prompts[name] as string) : '';
  }

  /** Applies from the next step of every turn, also after a restart. `''` and null restore the built-in text. */
  setPrompt(name: string, text: string | null): void {
    this.#store.settings.set('prompt', name, text);
  }

  /** The id of a model. An unset name falls back to the id of `default`, then to `SVC_MODEL`, then to `''`. */
  getModel(name = 'default'): string {
    const models = this.#store.settings.all('model');
    const set = Object.hasOwn(models, name) ? models[name] : models.default;
    return set ?? process.env.SVC_MODEL ?? '';
  }

  /** @param id such as `openai/gpt-5-mini`; null removes the setting */
  setModel(name: string, id: string | null): void {
    this.#store.settings.set('model', name, id);
  }

  /**
   * Serves the clients until `stop()`, until `signal` is aborted, or until SIGINT or SIGTERM.
   *
   * @throws SvcError INVALID_REQUEST without a model or a client, INVALID_KEY without a key; an error that names the client, if a client cannot start or no client is left; an error that names the file, if the store cannot be written
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

  /** Stops receiving messages and waits up to 25 seconds for running turns. Open turns continue at the next start. */
  async stop(): Promise<void> {
    await this.#run?.stop();
  }

  #checkSettings(): void {
    if (this.#clients.size === 0)
      throw new SvcError('INVALID_REQUEST', 'The agent has no client: pass { clients: […] } or call addClient()');
    if (!this.#options.hasOwnModel && this.getModel() === '')
      throw new SvcError('INVALID_REQUEST', "No model: set SVC_MODEL, or call agent.setModel('default', 'provider/model')");
    if (!(this.#options.apiKey ?? process.env.SVC_AGENT_API_KEY))
      throw new SvcError('INVALID_KEY', 'No agent key. Set SVC_AGENT_API_KEY or pass { apiKey }; `npx svc-service keys create` makes one');
  }
}
