/**
 * A conversation between a person and a model with the tools of the service. It holds no component: a page subscribes to it.
 *
 * State:  `idle`, `running`, `failed` (the last turn can be tried again), `paused` (the model may go on). Nothing that was said is lost by a failure.
 * Limits: so many turns of the model for a message, so that a model in a loop stops; the money of the whole conversation.
 */
import { millionthsOf, toAmount } from '#sdk/protocol/amount';
import type { InvokeResponse, SearchResponse } from '#sdk/protocol/http';
import type { RunAnswer } from '#sdk/protocol/runs';
import { RUN_CODE_TOOL } from '#sdk/tools/run-code-definition';
import { type ToolAnswer, Tools } from '#sdk/tools/tools';
import { api } from '../../../api/request';
import { askModel } from '../model/ask-model';
import { type ModelChoice, modelName } from '../model/model-choice';
import type { ContentPart, ModelCall, ModelMessage, ModelTurn } from '../model/turn';
import { type ChatItem, type Cost, NO_TOTALS, type OpenQuestion, type ToolItem, type Totals, type TraceStep, withStep } from './items';
import { keyTransport, type OpenAsk, type ServiceAnswer } from './key-transport';

export interface ConversationSetup {
  keyId: string;
  model: ModelChoice;
  system: string;
  /** The most that its paid actions may cost, as an amount. */
  budget: string;
  askBeforeDestructive: boolean;
  code: boolean;
  /** Sends images of results to the model. */
  seesImages: boolean;
}

export interface ConversationState {
  status: 'idle' | 'running' | 'failed' | 'paused';
  /** Why it failed, for people. */
  failure: string | undefined;
  items: readonly ChatItem[];
  steps: readonly TraceStep[];
  totals: Totals;
}

const MOST_TURNS = 12;
/** `Tools` give a call up after this time, which the person's decisions are part of. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

export class PlaygroundConversation {
  readonly session = `playground-${crypto.randomUUID()}`;
  readonly setup: ConversationSetup;
  readonly #tools: Tools;
  readonly #messages: ModelMessage[] = [];
  readonly #listeners = new Set<() => void>();
  #state: ConversationState = { status: 'idle', failure: undefined, items: [], steps: [], totals: NO_TOTALS };
  #ends: AbortController | undefined;
  /** The tool call that runs: they run one after the other. */
  #running: { item: string; exchanges: ServiceAnswer[] } | undefined;

  constructor(setup: ConversationSetup) {
    this.setup = setup;
    const hooks = {
      onProgress: (progress: ToolItem['progress']) => this.#changeRunning({ progress }),
      onExchange: (exchange: ServiceAnswer) => void this.#running?.exchanges.push(exchange),
      ask: (asked: OpenAsk, signal: AbortSignal) => this.#ask(asked, signal),
    };
    this.#tools = new Tools({
      // The service takes the session of the person, not this text.
      apiKey: 'svc_agent_of-the-signed-in-person',
      baseUrl: location.origin,
      fetch: keyTransport(setup.keyId, hooks),
      sessionId: this.session,
      timeoutMs: LONGEST_MS,
      code: setup.code,
    });
    if (setup.system.trim() !== '') this.#messages.push({ role: 'system', content: setup.system });
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** Everything that the model has read, for a program that goes on with it. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** @param images `data:` addresses */
  async send(text: string, images: readonly string[] = []): Promise<void> {
    // Each call needs an answer before the next message.
    for (const { id } of this.#openCalls()) this.#messages.push({ role: 'tool', tool_call_id: id, content: 'Stopped by the user' });
    const parts: ContentPart[] = [{ type: 'text', text }, ...images.map(imagePart)];
    this.#messages.push({ role: 'user', content: images.length === 0 ? text : parts });
    this.#addItem({ kind: 'user', id: crypto.randomUUID(), text, images });
    await this.goOn();
  }

  /** Lets the model speak: after a message, after a failure, and beyond the limit of turns. */
  async goOn(): Promise<void> {
    if (this.#state.status === 'running') return;
    const ends = new AbortController();
    this.#ends = ends;
    this.#set({ status: 'running', failure: undefined });
    try {
      for (let turns = 0; turns < MOST_TURNS; turns++) if (!(await this.#turn(ends.signal))) return this.#set({ status: 'idle' });
      this.#set({ status: 'paused' });
    } catch (error) {
      const isStopped = ends.signal.aborted;
      this.#set({ status: 'failed', failure: isStopped ? 'Stopped.' : error instanceof Error ? error.message : String(error) });
    } finally {
      // No call may follow.
      this.#tools.flushUsage().catch(() => {});
    }
  }

  stop(): void {
    this.#ends?.abort();
  }

  /** False when the model has said its last word. A turn that fails leaves the messages as they were. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    const open = this.#openCalls();
    if (open.length > 0) {
      await this.#answer(open, signal);
      return true;
    }
    const item = crypto.randomUUID();
    this.#addItem({ kind: 'model', id: item, text: '' });
    const onText = (piece: string) =>
      this.#changeItem(item, (shown) => (shown.kind === 'model' ? { ...shown, text: shown.text + piece } : shown));
    const startedAt = performance.now();
    const tools = (await this.#tools.getTools()) ?? [];
    const turn = await askModel(this.setup.model, { messages: this.#messages, tools }, { signal, onText }).catch((error: unknown) => {
      this.#removeItem(item);
      throw error;
    });
    this.#report(turn);
    if (turn.text === '') this.#removeItem(item);
    const { text, calls, usage } = turn;
    this.#addStep({
      ...{ kind: 'model', id: crypto.randomUUID(), ms: performance.now() - startedAt },
      ...{ model: modelName(this.setup.model), tokens: usage, calls: calls.length },
    });
    this.#messages.push({ role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) });
    if (calls.length === 0) return false;
    await this.#answer(calls, signal);
    return true;
  }

  /** The tokens are in the trace, whatever becomes of the report. */
  #report({ usage }: ModelTurn): void {
    if (!usage) return;
    const { input, cached, output } = usage;
    const reported = { model: modelName(this.setup.model), inputTokens: input, cachedTokens: cached, outputTokens: output };
    this.#tools.reportUsage(reported).catch(() => {});
  }

  /** Calls of the last turn without an answer: the conversation was stopped before. */
  #openCalls(): ModelCall[] {
    const at = this.#messages.findLastIndex(({ role }) => role === 'assistant');
    const last = this.#messages[at];
    const answered = new Set(this.#messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])));
    return last?.role === 'assistant' ? (last.tool_calls ?? []).filter(({ id }) => !answered.has(id)) : [];
  }

  async #answer(calls: readonly ModelCall[], signal: AbortSignal): Promise<void> {
    const images: ContentPart[] = [];
    for (const call of calls) {
      const answer = await this.#answerOne(call, signal);
      const seen = this.setup.seesImages ? (answer.media ?? []).filter(({ mediaType }) => mediaType.startsWith('image/')) : [];
      images.push(...seen.map(({ mediaType, data }) => imagePart(`data:${mediaType};base64,${data}`)));
    }
    if (images.length === 0) return;
    // Messages of tools hold only text in chat completions.
    this.#messages.push({ role: 'user', content: [{ type: 'text', text: 'Images of the results above:' }, ...images] });
  }

  async #answerOne({ id, function: { name, arguments: input } }: ModelCall, signal: AbortSignal): Promise<ToolAnswer> {
    const former = this.#state.items.find((item) => item.id === id);
    const shown: ToolItem = { kind: 'tool', id, name, input, state: 'running' };
    if (former) this.#changeItem(id, () => shown);
    else this.#addItem(shown);
    const running = { item: id, exchanges: [] as ServiceAnswer[] };
    this.#running = running;
    const startedAt = performance.now();
    try {
      const answer = await this.#tools.answerTool(name, input, {
        signal,
        // The same call runs once, also after Stop and Try again.
        idempotencyKey: `${this.session}/${id}`.slice(0, 250),
        maxPayment: toAmount(this.#left()),
        ...(this.setup.askBeforeDestructive && { ask: { destructive: true } }),
      });
      this.#messages.push({ role: 'tool', tool_call_id: id, content: answer.content });
      const state = answer.error ? 'failed' : 'done';
      this.#changeItem(id, () => ({ ...shown, state, answer: answer.content, blocks: answer.blocks }));
      await this.#trace(name, input, answer, { exchanges: running.exchanges, ms: performance.now() - startedAt });
      return answer;
    } catch (error) {
      this.#changeItem(id, () => ({ ...shown, state: 'failed', answer: signal.aborted ? 'Stopped.' : String(error) }));
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #trace(
    name: string,
    input: string,
    { error, payment }: ToolAnswer,
    of: { exchanges: readonly ServiceAnswer[]; ms: number },
  ): Promise<void> {
    const last = of.exchanges.at(-1);
    // A call that no request was made for, such as one of an unknown tool, is in the chat only.
    if (!last) return;
    const head = { id: crypto.randomUUID(), ms: of.ms, code: error?.code ?? 'OK' };
    if (last.path === '/v1/search') {
      const found = last.body as Partial<SearchResponse>;
      const shown = [...(found.actions ?? []), ...(found.more ?? [])].map(({ action }) => action);
      return this.#addStep({ ...head, kind: 'search', query: argumentOf(input, 'query'), shown });
    }
    if (name === RUN_CODE_TOOL) {
      const answer = last.body as Partial<RunAnswer> & { calls?: number };
      const cost = answer.run === undefined ? undefined : await this.#costOfRun(answer.run);
      return this.#addStep({ ...head, kind: 'run', run: answer.run, calls: answer.calls, cost });
    }
    const { invocationId } = last.body as Partial<InvokeResponse>;
    const cost = payment && { amount: payment.charged, currency: payment.currency };
    this.#addStep({ ...head, kind: 'call', action: argumentOf(input, 'action') || name, callId: invocationId, cost });
  }

  /** The answer of a run does not say what its calls cost. */
  async #costOfRun(run: string): Promise<Cost | undefined> {
    const page = await api('GET /v1/sessions/{id}', { params: { id: this.session }, query: { key: this.setup.keyId, limit: 200 } }).catch(
      () => undefined,
    );
    const costs = (page?.entries ?? []).flatMap((entry) =>
      entry.kind === 'call' && entry.call.madeBy === run && entry.cost ? [entry.cost] : [],
    );
    const sum = costs.reduce((total, { charged, authorised }) => total + millionthsOf(charged ?? authorised), 0n);
    return costs[0] && { amount: toAmount(sum), currency: costs[0].currency };
  }

  #left(): bigint {
    const left = millionthsOf(this.setup.budget) - this.#state.totals.cost;
    return left > 0n ? left : 0n;
  }

  async #ask(asked: OpenAsk, signal: AbortSignal): Promise<boolean> {
    const question = Promise.withResolvers<boolean>();
    const stop = () => question.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#changeRunning({ question: this.#questionOf(asked, question.resolve) });
    try {
      return await question.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#changeRunning({ question: undefined });
    }
  }

  #questionOf(asked: OpenAsk, resolve: (again: boolean) => void): OpenQuestion {
    if ('connect' in asked) return { kind: 'connect', required: asked.connect, connected: resolve };
    const { id } = asked.approval;
    const item = this.#state.items.find((shown) => shown.id === this.#running?.item);
    const input = item?.kind === 'tool' ? item.input : '';
    const of = asked.of ?? { action: argumentOf(input, 'action') || undefined, payload: argumentOf(input, 'payload') };
    const decide = async (decision: 'approve' | 'deny') => {
      await api('POST /v1/approvals/{id}', { params: { id }, body: { decision } });
      resolve(true);
    };
    return { kind: 'approval', id, action: of.action, payload: of.payload, decide };
  }

  #addItem(item: ChatItem): void {
    this.#set({ items: [...this.#state.items, item] });
  }

  #removeItem(id: string): void {
    this.#set({ items: this.#state.items.filter((item) => item.id !== id) });
  }

  #changeItem(id: string, change: (item: ChatItem) => ChatItem): void {
    this.#set({ items: this.#state.items.map((item) => (item.id === id ? change(item) : item)) });
  }

  #changeRunning(change: Partial<ToolItem>): void {
    const id = this.#running?.item;
    if (id !== undefined) this.#changeItem(id, (item) => (item.kind === 'tool' ? { ...item, ...change } : item));
  }

  #addStep(step: TraceStep): void {
    const cost = 'cost' in step && step.cost ? millionthsOf(step.cost.amount) : 0n;
    this.#set({ steps: [...this.#state.steps, step], totals: withStep(this.#state.totals, step, cost) });
  }

  #set(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function imagePart(url: string): ContentPart {
  return { type: 'image_url', image_url: { url } };
}

/** A member of the model's arguments as a text; '' if there is none. */
function argumentOf(input: string, name: string): string {
  try {
    const value = (JSON.parse(input) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, undefined, 2);
  } catch {
    return '';
  }
}
