/**
 * A lane per chat, which runs the chat's turns one after the other, in the order of the messages. Lanes run concurrently. An idle lane is
 * removed.
 */
import type { BaseClient } from '../chat/base-client';
import { type AgentTurn, type Deciding, LostTurn } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import { answerDue } from './approvals';
import { decidingOf, nextLookMs } from './await-decision';
import { connectDue, waitingFor } from './connections';
import { AgentEnds, EarlyEnd } from './early-end';
import { FairSlots } from './fair-slots';
import { reply, think } from './run-turn';
import type { TurnSetup } from './setup';
import { laneKeyOf, TurnScope, toError } from './turn-scope';

interface Lane {
  client: BaseClient;
  chatId: string;
  /** True if a message arrived since the last check. */
  woken: boolean;
  over: Promise<void>;
  /** Aborted with `AgentEnds` when the lane must not start another turn. */
  closing: AbortController;
  /** The running turn. */
  scope?: TurnScope;
}

/** The wait of a chat for a person. */
interface Question {
  client: BaseClient;
  timer: NodeJS.Timeout;
}

export interface LanesOptions {
  setup: TurnSetup;
  maxConcurrentTurns: number;
  /** Called with an error that must end the agent: of the store, or a bug of this package. */
  onFatal: (error: Error) => void;
}

export class Lanes {
  readonly #setup: TurnSetup;
  readonly #slots: FairSlots;
  readonly #onFatal: (error: Error) => void;
  readonly #lanes = new Map<string, Lane>();
  /** Wakes the lane of a question at its deadline, or when people elsewhere have decided. */
  readonly #questions = new Map<string, Question>();
  #isEnding = false;

  constructor({ setup, maxConcurrentTurns, onFatal }: LanesOptions) {
    this.#setup = setup;
    this.#slots = new FairSlots(maxConcurrentTurns);
    this.#onFatal = onFatal;
  }

  /** Starts the lane of the chat, or makes it check for turns again. */
  wake(client: BaseClient, chatId: string): void {
    if (this.#isEnding) return;
    const key = laneKeyOf(client.clientId, chatId);
    clearTimeout(this.#questions.get(key)?.timer);
    this.#questions.delete(key);
    const known = this.#lanes.get(key);
    if (known) {
      known.woken = true;
      return;
    }
    const lane: Lane = { client, chatId, woken: true, over: Promise.resolve(), closing: new AbortController() };
    this.#lanes.set(key, lane);
    lane.over = this.#work(key, lane);
  }

  /** Ends the running turn of a chat if it is one of `turnIds`. */
  cancel(clientId: string, chatId: string, turnIds: readonly string[]): void {
    const { scope } = this.#lanes.get(laneKeyOf(clientId, chatId)) ?? {};
    if (scope && turnIds.includes(scope.turn.id)) scope.endEarly(new EarlyEnd('stopped', 'The person wrote /stop'));
  }

  /** Abandons the turns of a client, which another process holds now. The stored turns stay unchanged. */
  async leave(clientId: string): Promise<void> {
    for (const [key, { client, timer }] of this.#questions) {
      if (client.clientId !== clientId) continue;
      clearTimeout(timer);
      this.#questions.delete(key);
    }
    const left = [...this.#lanes.values()].filter(({ client }) => client.clientId === clientId);
    for (const lane of left) leaveLane(lane, new AgentEnds('Another process has the client'));
    await Promise.all(left.map(({ over }) => over));
  }

  /** Starts no new turns and waits for running ones. Abandons turns that still run after `graceMs`; the stored turns stay unchanged. */
  async end(graceMs: number): Promise<void> {
    const reason = new AgentEnds('The agent ends');
    this.#isEnding = true;
    for (const { timer } of this.#questions.values()) clearTimeout(timer);
    for (const { closing } of this.#lanes.values()) closing.abort(reason);
    const all = Promise.all([...this.#lanes.values()].map(({ over }) => over));
    const timer = setTimeout(() => {
      for (const lane of this.#lanes.values()) leaveLane(lane, reason);
    }, graceMs);
    await all.finally(() => clearTimeout(timer));
  }

  async #work(key: string, lane: Lane): Promise<void> {
    try {
      for (let goesOn = true; goesOn && !lane.closing.signal.aborted; ) {
        lane.woken = false;
        const isMore = await this.#runNext(key, lane);
        goesOn = isMore || lane.woken;
      }
    } catch (error) {
      if (!(error instanceof AgentEnds)) this.#onFatal(toError(error));
    } finally {
      this.#lanes.delete(key);
    }
  }

  /** @returns true if the chat may have another open turn */
  async #runNext(key: string, lane: Lane): Promise<boolean> {
    const { client, chatId } = lane;
    try {
      const scope = await this.#slots.run(key, lane.closing.signal, async () => {
        const turn = await patiently(() => this.#setup.store.turns.take(client.clientId, chatId));
        lane.closing.signal.throwIfAborted();
        return turn && this.#think(lane, turn);
      });
      if (!scope) return false;
      if (scope.turn.state === 'replying') await reply(scope);
      if (scope.turn.state !== 'asking') return true;
      this.#wakeWhenDue(key, lane, scope.turn);
      return false;
    } catch (error) {
      // Another process or a command changed the turn: read the turns again.
      if (error instanceof LostTurn) return true;
      throw error;
    } finally {
      delete lane.scope;
    }
  }

  async #think(lane: Lane, turn: AgentTurn): Promise<TurnScope> {
    const scope = new TurnScope(this.#setup, lane.client, turn);
    lane.scope = scope;
    this.#setup.emit({ type: 'turn-start', ...scope.place });
    await think(scope);
    return scope;
  }

  #wakeWhenDue(key: string, { client, chatId, closing }: Lane, turn: AgentTurn): void {
    const deciding = decidingOf(turn);
    if (deciding && !closing.signal.aborted) return this.#wakeWhenDecided(key, client, turn, deciding);
    const connecting = waitingFor(turn);
    const due = connecting ? connectDue(connecting) : turn.approval && answerDue(turn.approval);
    if (due === undefined || closing.signal.aborted) return;
    const waitMs = Math.max(0, due - Date.now());
    this.#questions.set(key, { client, timer: setTimeout(() => this.wake(client, chatId), waitMs) });
  }

  /** Looks without a lane, so that a wait of hours takes no slot and reports no start of a turn. */
  #wakeWhenDecided(key: string, client: BaseClient, { clientId, ctx }: AgentTurn, deciding: Deciding): void {
    const question: Question = { client, timer: setTimeout(() => void look(), nextLookMs(deciding)) };
    const look = async () => {
      const decision = await this.#setup.tools.of(clientId, ctx).decisionOn(deciding.handle);
      if (this.#isEnding || this.#questions.get(key) !== question) return;
      if (decision !== 'open' || deciding.until <= Date.now()) return this.wake(client, ctx.chatId);
      question.timer = setTimeout(() => void look(), nextLookMs(deciding));
    };
    this.#questions.set(key, question);
  }
}

/** Abandons the turns of a lane. The stored turns stay unchanged. */
function leaveLane({ closing, scope }: Lane, reason: AgentEnds): void {
  closing.abort(reason);
  scope?.leave(reason);
}
