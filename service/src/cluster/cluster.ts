/**
 * The membership of this node in the cluster: announces its offers, tracks the offers of other nodes, and forwards calls in both
 * directions.
 *
 * Shape:  a node that holds sockets of a toolkit is in the queue group of that toolkit's subject; messages for one node are published on its own
 *         subject.
 * Errors: none. Lost messages are detected: offers are numbered, and `onPossibleLoss` makes waiting calls send their request again.
 */
import { type Bus, MAX_MESSAGE_CHARS } from '../bus/bus';
import { Doorbell } from '../lib/doorbell';
import type { Logger } from '../lib/logger';
import { Announcements, type Offers } from './announcements';
import { KIND } from './message-kinds';
import type {
  ActivityAnswer,
  ActivityMessage,
  CallAnswer,
  CalledMessage,
  CallMessage,
  ConsoleMessage,
  InstanceMessage,
  JoinMessage,
  NodeMessage,
  RewordedMessage,
  SessionSearchedMessage,
} from './message-schemas';
import { decodeActivity, decodeAnswer, decodeMessage, encodeMessage } from './messages';
import { Peers } from './peers';
import { ALL_NODES_SUBJECT, nodeSubject, toolkitSubject } from './subjects';

/** State that this node announces. */
export interface NodeOffers extends Offers {
  activity(query: Pick<ActivityMessage, 'toolkitIds' | 'processes' | 'state'>): NodeActivity;
}

/** Activity at one node. */
export type NodeActivity = Omit<ActivityAnswer, 'kind' | 'from'>;

/** Activity at the other nodes that answer in time. */
export interface ClusterActivity {
  nodes: (NodeActivity & { node: string })[];
  /** Nodes that did not answer in time. */
  silent: string[];
}

/** Requests of other nodes to this one. */
export interface NodeServer {
  call(message: CallMessage, payloadJson: string, answer: AnswerCall): void;
  join(message: JoinMessage, answer: AnswerCall): void;
  /** The caller at the other node has left. */
  cancel(invocationId: string): void;
  /** A person has cancelled the call in the console of another node. */
  callCancelled(invocationId: string): void;
  /** The usage of shared limits at other nodes may have dropped. */
  othersCounted(): void;
  /** An instance has moved to another node. Calls that it does not list as unfinished did not reach it. */
  instanceMoved(message: Omit<InstanceMessage, 'kind' | 'from'>): void;
}

export type AnswerCall = (answer: CallAnswer, body?: string) => void;
/** `no-responder`: no node received the message. */
export type AnswerListener = (answer: CallAnswer | { kind: 'no-responder' }, body: string) => void;

type Unsigned<Message> = Message extends { from: string } ? Omit<Message, 'from'> : never;
export type ConsoleNotice = Unsigned<ConsoleMessage>;

export type SearchNews = CalledMessage | RewordedMessage;

const HEARTBEAT_MS = 500;
/** Short, because pages of the console wait for the answers. */
const ACTIVITY_TIMEOUT_MS = 300;
const LATE_BEAT_MS = 3 * HEARTBEAT_MS;

export interface ClusterDeps {
  bus: Bus;
  node: string;
  logger: Logger;
}

export class Cluster {
  /** Wakes the waiters of rows that changed, at any node. */
  readonly doorbell = new Doorbell();
  readonly #bus: Bus;
  readonly #node: string;
  readonly #logger: Logger;
  readonly #peers = new Peers();
  readonly #stops: (() => void)[] = [];
  readonly #announcements: Announcements;
  /** Nodes with an unanswered request for all offers since the last heartbeat. */
  readonly #asked = new Set<string>();
  readonly #lossListeners = new Set<() => void>();
  #offers: NodeOffers = {
    offer: () => ({ replicas: 0, actions: [] }),
    toolkitIds: () => [],
    counts: () => ({}),
    activity: () => ({ running: 0, queued: 0, processes: [] }),
  };
  #server: NodeServer | undefined;
  #onSearchNews: (news: SearchNews) => void = () => {};
  #onSessionSearched: (searched: SessionSearchedMessage) => void = () => {};
  #onConsole: (message: ConsoleMessage) => void = () => {};
  #lastBeatAt = 0;

  constructor({ bus, node, logger }: ClusterDeps) {
    this.#bus = bus;
    this.#node = node;
    this.#logger = logger;
    this.#announcements = new Announcements({
      bus,
      node,
      offers: () => this.#offers,
      publish: (subject, message) => this.#publish(subject, message),
      hasOthers: () => this.#peers.size > 0,
      onMessage: (text, answer) => this.#receive(text, answer),
    });
  }

  get connected(): boolean {
    return this.#bus.connected;
  }

  /** Number of other nodes. */
  get size(): number {
    return this.#peers.size;
  }

  /** Whether the other node has sent a message recently. */
  has(node: string): boolean {
    return this.#peers.has(node);
  }

  /** Whether another node offers the action. */
  offers(toolkitId: string, actionName: string): boolean {
    return this.#peers.size > 0 && this.#peers.offers(toolkitId, actionName);
  }

  /** Nodes that offer the action. */
  offering(toolkitId: string, actionName: string): string[] {
    return this.#peers.offering(toolkitId, actionName);
  }

  /** Replicas at other nodes. */
  replicas(toolkitId: string): number {
    return this.#peers.replicas(toolkitId);
  }

  /** Usage of a limit at the other nodes, at most half a second old. Without other nodes, the name is not built: this runs for every call. */
  count(name: (id: string) => string, id: string): number {
    return this.#peers.size > 0 ? this.#peers.count(name(id)) : 0;
  }

  /** Subscribes, and requests the offers of the other nodes. Resolves `settleMs` later, when the reachable nodes have answered. */
  async start(offers: NodeOffers, server: NodeServer, settleMs: number): Promise<void> {
    this.#offers = offers;
    this.#server = server;
    this.#stops.push(
      this.#bus.subscribe(ALL_NODES_SUBJECT, (text, answer) => this.#receive(text, answer)),
      this.#bus.subscribe(nodeSubject(this.#node), (text, answer) => this.#receive(text, answer)),
      this.#bus.onConnection((connected) => {
        if (connected) {
          this.#peers.resetLastSeen();
          this.#askAll();
        }
        this.#reportPossibleLoss();
      }),
    );
    await this.#bus.flush();
    this.#askAll();
    if (settleMs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
    this.#lastBeatAt = performance.now();
    const timer = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    this.#stops.push(() => clearInterval(timer));
  }

  /** Call this after a change of this node's offer: other nodes are notified after this event-loop turn. */
  changed(toolkitId: string): void {
    this.#announcements.changed(toolkitId);
  }

  /** Sends a call to the named node, or to any node that holds the toolkit. Returns the function that stops listening. */
  call(
    to: { toolkitId: string } | { node: string },
    message: Omit<CallMessage, 'kind' | 'from'>,
    payloadJson: string,
    onAnswer: AnswerListener,
  ): () => void {
    const subject = 'node' in to ? nodeSubject(to.node) : toolkitSubject(to.toolkitId);
    return this.#ask(subject, encodeMessage({ kind: 'call', from: this.#node, ...message }, payloadJson), onAnswer);
  }

  /** Requests the outcome of a call from the node that owns it. Returns the function that stops listening. */
  join(node: string, message: Omit<JoinMessage, 'kind'>, onAnswer: AnswerListener): () => void {
    return this.#ask(nodeSubject(node), encodeMessage({ kind: 'join', ...message }), onAnswer);
  }

  /** Wakes who waits for this row at any node. */
  ring(id: string): void {
    this.doorbell.ring(id);
    this.#publish(ALL_NODES_SUBJECT, { kind: 'ring', from: this.#node, id });
  }

  cancel(invocationId: string): void {
    this.#publish(ALL_NODES_SUBJECT, { kind: 'cancel', id: invocationId });
  }

  /** Cancels a call for all its callers, at the node that runs it. */
  cancelCall(invocationId: string): void {
    if (this.#peers.size > 0) this.#publish(ALL_NODES_SUBJECT, { kind: 'call-cancelled', from: this.#node, id: invocationId });
  }

  /** Queries the activity at the other nodes. Resolves when all have answered, or after 300 ms. */
  activity(query: Pick<ActivityMessage, 'toolkitIds' | 'processes' | 'state'>): Promise<ClusterActivity> {
    const silent = new Set(this.#peers.names());
    const nodes: ClusterActivity['nodes'] = [];
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve({ nodes, silent: [...silent] });
      };
      const timer = setTimeout(end, ACTIVITY_TIMEOUT_MS);
      let stop = () => {};
      if (silent.size === 0) return end();
      stop = this.#bus.ask(ALL_NODES_SUBJECT, encodeMessage({ kind: KIND.activityQuery, from: this.#node, ...query }), {
        answer: (text) => {
          const activity = decodeActivity(text);
          if (!activity || !silent.delete(activity.from)) return;
          const { running, queued, processes, state } = activity;
          nodes.push({ node: activity.from, running, queued, processes, ...(state && { state }) });
          if (silent.size === 0) end();
        },
        noResponder: end,
      });
    });
  }

  /** Reports the outcome of a search to the node that holds it. A node that has ended holds none. */
  reportSearchNews(node: string, news: Unsigned<SearchNews>): void {
    if (this.#peers.has(node)) this.#publish(nodeSubject(node), { ...news, from: this.#node });
  }

  /** Subscribes to outcomes of searches here. */
  onSearchNews(listener: (news: SearchNews) => void): void {
    this.#onSearchNews = listener;
  }

  /** Announces the search of an MCP client, which may continue at any node. */
  sessionSearched(searched: Unsigned<SessionSearchedMessage>): void {
    if (this.#peers.size > 0) this.#publish(ALL_NODES_SUBJECT, { ...searched, from: this.#node });
  }

  /** Subscribes to searches of MCP clients at other nodes. */
  onSessionSearched(listener: (searched: SessionSearchedMessage) => void): void {
    this.#onSessionSearched = listener;
  }

  /** Notifies the consoles of the other nodes. */
  notifyConsoles(message: ConsoleNotice): void {
    if (this.#peers.size > 0) this.#publish(ALL_NODES_SUBJECT, { ...message, from: this.#node });
  }

  /** Subscribes to these notifications of the other nodes. */
  onConsole(listener: (message: ConsoleMessage) => void): void {
    this.#onConsole = listener;
  }

  /** Notifies the previous node of the instance after this event-loop turn. */
  instanceRegistered(registered: Omit<InstanceMessage, 'kind' | 'from'>): void {
    this.#announcements.instanceRegistered(registered);
  }

  /** Calls `listener` when answers may have been lost, because a node left or the bus was unavailable. Returns the stop function. */
  onPossibleLoss(listener: () => void): () => void {
    this.#lossListeners.add(listener);
    return () => void this.#lossListeners.delete(listener);
  }

  /** Stops accepting calls of other nodes. */
  leave(): void {
    this.#announcements.leave();
  }

  close(): void {
    this.leave();
    for (const stop of this.#stops) stop();
  }

  #ask(subject: string, text: string, onAnswer: AnswerListener): () => void {
    return this.#bus.ask(subject, text, {
      answer: (answer) => {
        const decoded = decodeAnswer(answer);
        if (decoded) onAnswer(decoded.head, decoded.body);
        else this.#logger.warn({ subject }, 'invalid answer of another node');
      },
      noResponder: () => onAnswer({ kind: 'no-responder' }, ''),
    });
  }

  #receive(text: string, answer: (text: string) => void): void {
    const decoded = decodeMessage(text, this.#node);
    if (!decoded || !this.#server) return;
    const { head, body } = decoded;
    const answerCall: AnswerCall = (said, result) => {
      const message = encodeMessage(said, result);
      if (message.length <= MAX_MESSAGE_CHARS) answer(message);
      // The store has the ended calls.
      else if (said.kind !== 'progress') answer(encodeMessage({ kind: 'unknown' }));
    };
    switch (head.kind) {
      case 'call':
        return this.#server.call(head, body, answerCall);
      case 'join':
        return this.#server.join(head, answerCall);
      case 'cancel':
        return this.#server.cancel(head.id);
      case KIND.activityQuery:
        return answer(encodeMessage({ kind: KIND.activity, from: this.#node, ...this.#offers.activity(head) }));
      default:
        this.#receiveFromPeer(head);
    }
  }

  #receiveFromPeer(message: Exclude<NodeMessage, { kind: 'call' | 'join' | 'cancel' } | ActivityMessage>): void {
    const { from } = message;
    switch (message.kind) {
      case 'offer':
        if (!this.#peers.offered(message)) this.#askOne(from);
        return;
      case KIND.heartbeat:
        if (!this.#peers.heartbeat(from, message.number, message.counts)) this.#askOne(from);
        this.#server?.othersCounted();
        return;
      case KIND.allOffers:
        this.#asked.delete(from);
        return this.#peers.allOffers(message);
      case KIND.offersRequest:
        this.#announcements.sendAll(from);
        // The sender may be a new node.
        if (!this.#peers.has(from)) this.#askOne(from);
        return;
      case 'leaving':
        if (this.#peers.forget(from)) this.#reportPossibleLoss();
        return;
      case KIND.searchCalled:
      case KIND.searchReworded:
        return this.#onSearchNews(message);
      case 'session-searched':
        return this.#onSessionSearched(message);
      case 'changed':
        return this.#onConsole(message);
      case 'ring':
        return this.doorbell.ring(message.id);
      case 'call-cancelled':
        return this.#server?.callCancelled(message.id);
      case 'instance':
        this.#server?.instanceMoved(message);
    }
  }

  #beat(): void {
    this.#asked.clear();
    const now = performance.now();
    // This node was suspended or busy, so messages of other nodes may still be unread.
    if (now - this.#lastBeatAt > LATE_BEAT_MS) this.#peers.resetLastSeen();
    this.#lastBeatAt = now;
    if (!this.#bus.connected) return;
    if (this.#peers.sweep()) this.#reportPossibleLoss();
    this.#announcements.sendHeartbeat();
  }

  #askAll(): void {
    this.#publish(ALL_NODES_SUBJECT, { kind: KIND.offersRequest, from: this.#node });
  }

  /** Requests all offers of a node, once until it answers or the next heartbeat. */
  #askOne(node: string): void {
    if (this.#asked.has(node)) return;
    this.#asked.add(node);
    this.#publish(nodeSubject(node), { kind: KIND.offersRequest, from: this.#node });
  }

  #reportPossibleLoss(): void {
    for (const listener of [...this.#lossListeners]) listener();
  }

  #publish(subject: string, message: NodeMessage): void {
    this.#bus.publish(subject, encodeMessage(message));
  }
}
