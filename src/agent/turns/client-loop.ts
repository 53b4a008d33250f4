/** Receives from one client while this process holds its lease. */
import { performance } from 'node:perf_hooks';
import type { BaseClient } from '../chat/base-client';
import type { MessageContext } from '../chat/message-context';
import { messageProblem } from '../chat/message-problem';
import type { AgentEvent } from '../events';
import { pause, raced } from '../lib/races';
import type { AgentStore } from '../store/agent-store';
import { patiently, StoreError } from '../store/store-error';
import type { Intake } from './intake';
import type { Lanes } from './lanes';
import { toError } from './turn-scope';

const RENEW_LEASE_MS = 5_000;
const ASK_FOR_LEASE_MS = 1_000;
/** Minimum time per receive, so that a client that returns null at once does not cause a busy loop. */
const MIN_RECEIVE_MS = 50;
const STOP_WITHIN_MS = 5_000;

/** The client could not start. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
}

export interface ClientLoopOptions {
  client: BaseClient;
  store: AgentStore;
  /** The id of this process as owner of leases. */
  owner: string;
  lanes: Lanes;
  intake: Intake;
  accepts: (client: BaseClient, ctx: MessageContext) => Promise<boolean>;
  emit: (event: AgentEvent) => void;
  /** Aborted when the agent ends. */
  signal: AbortSignal;
}

/**
 * Resolves when the agent ends. The client stays connected for replies until `stopClient`.
 *
 * @throws StartFailed; StoreError; errors of `receiveMessage`
 */
export async function serveClient(options: ClientLoopOptions): Promise<void> {
  const { client, lanes, signal } = options;
  while (!signal.aborted) {
    if (!(await waitForLease(options))) return;
    const lease = keepLease(options);
    try {
      await receiveAll(options, lease.signal);
    } finally {
      lease.end();
    }
    if (signal.aborted) return;
    await lanes.leave(client.clientId);
    await stopClient(options);
  }
}

/** @returns false if the agent ends first */
async function waitForLease({ client, store, owner, emit, signal }: ClientLoopOptions): Promise<boolean> {
  const { clientId } = client;
  for (let isReported = false; !signal.aborted; ) {
    if (await patiently(() => store.clients.lease(clientId, owner))) return true;
    if (!isReported) emit({ type: 'client-state', clientId, state: 'waiting' });
    isReported = true;
    await pause(ASK_FOR_LEASE_MS, signal).catch(() => {});
  }
  return false;
}

/** Renews the lease. The returned `signal` aborts when the agent ends, another process holds the client, or the store fails. */
function keepLease({ client, store, owner, signal }: ClientLoopOptions): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  const leave = () => over.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  // The agent may have stopped while the lease was written.
  if (signal.aborted) leave();
  const timer = setInterval(() => {
    patiently(() => store.clients.lease(client.clientId, owner)).then(
      (held) => held || over.abort(new Error('Another process has the client')),
      (error: unknown) => over.abort(error),
    );
  }, RENEW_LEASE_MS);
  return {
    signal: over.signal,
    end() {
      clearInterval(timer);
      signal.removeEventListener('abort', leave);
    },
  };
}

async function receiveAll(options: ClientLoopOptions, signal: AbortSignal): Promise<void> {
  const { client, store, lanes, intake, accepts, emit } = options;
  const { clientId } = client;
  client.cursor = await patiently(() => store.clients.cursor(clientId));
  try {
    await raced(client.start(), signal);
  } catch (error) {
    if (signal.aborted) return throwStoreError(signal);
    throw new StartFailed(`The client ${clientId} cannot start: ${toError(error).message}`, { cause: error });
  }
  emit({ type: 'client-state', clientId, state: 'started' });
  for (const chatId of await patiently(() => store.turns.openChats(clientId))) lanes.wake(client, chatId);
  while (!signal.aborted) {
    const began = performance.now();
    const cursor = JSON.stringify(client.cursor);
    const received = await unlessAborted(client.receiveMessage({ signal }), signal);
    if (received === undefined) break;
    const ctx = checked(received, options);
    const isAccepted = ctx && (await unlessAborted(accepts(client, ctx), signal));
    if (isAccepted === undefined) break;
    const accepted = isAccepted ? ctx : null;
    if (accepted || JSON.stringify(client.cursor) !== cursor) await intake.take(client, accepted);
    if (!ctx && performance.now() - began < MIN_RECEIVE_MS) await pause(MIN_RECEIVE_MS, signal).catch(() => {});
  }
  throwStoreError(signal);
}

/** Null for an invalid message, which is reported as an event. */
function checked(received: MessageContext | null, { client: { clientId }, emit }: ClientLoopOptions): MessageContext | null {
  const problem = received === null ? undefined : messageProblem(received);
  if (problem === undefined) return received;
  const error = new TypeError(`The client ${clientId} returned a message that is left out: ${problem}`);
  emit({ type: 'message-error', clientId, error });
  return null;
}

/** Undefined once the signal is aborted: the message is then not stored, and the platform keeps it. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await raced(promise, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function throwStoreError({ reason }: AbortSignal): void {
  if (reason instanceof StoreError) throw reason;
}

/** Disconnects and releases the lease. An error of `stop()` is reported as an event. */
export async function stopClient({
  client,
  store,
  owner,
  emit,
}: Pick<ClientLoopOptions, 'client' | 'store' | 'owner' | 'emit'>): Promise<void> {
  const { clientId } = client;
  try {
    await Promise.race([client.stop(), timeLimit()]);
    emit({ type: 'client-state', clientId, state: 'stopped' });
  } catch (error) {
    emit({ type: 'client-state', clientId, state: 'stopped', error: toError(error) });
  }
  try {
    store.clients.release(clientId, owner);
  } catch {
    // Ignored: the lease expires, and a failing store has ended the agent already.
  }
}

function timeLimit(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`stop() took longer than ${STOP_WITHIN_MS} ms`)), STOP_WITHIN_MS).unref();
  });
}
