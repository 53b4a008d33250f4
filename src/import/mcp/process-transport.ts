/**
 * An MCP server as a process: one JSON-RPC message a line on stdin and stdout.
 *
 * Differs from the SDK's transport: ends the whole process group, takes messages of 32 MB, skips text on stdout, reads no faster than messages are
 * handled in turns, and passes on only the variables of the environment that a program needs.
 * Source: Model Context Protocol 2025-11-25, basic/transports, "stdio".
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../protocol/json-object';
import { isUnsafeNumber, parseWithDigits } from '../../protocol/number-digits';
import { childEnvironment } from './child-environment';
import type { ProcessConfig, ServerLogListener } from './config';
import { MessageLines } from './message-lines';
import { endProcessGroup } from './process-group';
import { ProcessLog } from './process-log';
import { type Step, turns } from './turns';
import { unwatchGroup, watchGroup } from './watchdog';

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** A server that reads so little gets no more answers to its own requests. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const REST_MS = 1_000;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #config: ProcessConfig;
  readonly #log: ProcessLog;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  /** A chunk of stdout is read, and the stream paused. */
  #isReading = false;
  /** The message before was a notification, maybe of the same turn. */
  #hasNotified = false;
  /** A message for the next turn. */
  #held: JSONRPCMessage | undefined;
  /** The process and its streams are gone. */
  #isOver = false;
  readonly #closing = new AbortController();
  #closed = false;

  constructor(config: ProcessConfig, log: ServerLogListener) {
    this.#config = config;
    this.#log = new ProcessLog(log);
  }

  /** The last lines of its stderr; '' when there are none. */
  get lastWords(): string {
    return this.#log.lastWords;
  }

  /** Rejects when there is no such program. */
  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.#config;
    const child = spawn(command, args, { cwd, env: childEnvironment(env), detached: true, windowsHide: true });
    this.#child = child;
    this.#read(child);
    const groupId = child.pid;
    if (groupId !== undefined) {
      watchGroup(groupId);
      // The first process may end and leave others of its group behind.
      child.once('exit', () => void this.#end(groupId));
      child.once('close', () => this.#onOver());
    }
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    // A server that asks and asks, and reads none of the answers, would fill the memory.
    if (!('method' in message) && (stdin?.writableLength ?? 0) > MAX_UNREAD_BYTES) return;
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'The process of the MCP server is gone');
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    this.#drained ??= new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve)).finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const groupId = this.#child?.pid;
    if (groupId !== undefined) await this.#end(groupId);
    this.#markClosed();
  }

  #end(groupId: number): Promise<void> {
    this.#child?.stdin.end();
    this.#ended ??= endProcessGroup(groupId).then(async () => {
      unwatchGroup(groupId);
      await this.#readRest();
      // A process that left the group may hold the other ends open.
      this.#child?.stdout.destroy();
      this.#child?.stderr.destroy();
    });
    return this.#ended;
  }

  /** A server that ended by itself may have written much before. */
  async #readRest(): Promise<void> {
    if (this.#isOver || !this.#child) return;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(REST_MS)]);
    await once(this.#child, 'close', { signal }).catch(() => {});
  }

  #onOver(): void {
    this.#isOver = true;
    if (!this.#isReading) this.#markClosed();
  }

  #markClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #read({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
    stdout.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      // One chunk at a time: a server that floods waits for its pipe.
      stdout.pause();
      this.#isReading = true;
      this.#lines.push(chunk);
      turns.add(this.#step);
    });
    this.#log.readStderr(stderr);
    // A process may end without reading its stdin.
    stdin.on('error', () => {});
  }

  readonly #step: Step = () => {
    if (this.#closed) return false;
    try {
      return this.#handleLine();
    } catch (error) {
      // A line without an end cannot be skipped: the message after it would be lost with it.
      this.onerror?.(error as Error);
      this.#log.warn(`${(error as Error).message}: the server is ended`);
      this.#markClosed();
      void this.close();
      return false;
    }
  };

  /** Whether there may be another line to read in this turn. */
  #handleLine(): boolean {
    const held = this.#held;
    this.#held = undefined;
    if (held) return this.#deliver(held);
    const line = this.#lines.next();
    if (line === undefined) return this.#readOn();
    if (line.trim() === '') return true;
    const message = parseMessage(line);
    if (message) return this.#deliver(message);
    this.#log.skip(line);
    return true;
  }

  /** The client reads a notification a few microtasks later: progress would be lost when the answer overtook it. */
  #deliver(message: JSONRPCMessage): boolean {
    const isNotification = !('id' in message);
    if (this.#hasNotified && !isNotification) {
      this.#hasNotified = false;
      this.#held = message;
      turns.add(this.#step);
      return false;
    }
    this.#hasNotified = isNotification;
    this.onmessage?.(message);
    return true;
  }

  #readOn(): false {
    this.#isReading = false;
    if (this.#isOver) this.#markClosed();
    else this.#child?.stdout.resume();
    return false;
  }
}

/** Undefined for any other text. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value = parseWithDigits(line, isUnsafeNumber);
    return isObject(value) && value.jsonrpc === '2.0' ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
