/**
 * An MCP server as a process: one JSON-RPC message a line on stdin and stdout.
 *
 * Differs from the SDK's transport: ends the whole process group, takes messages of 32 MB, skips text on stdout, and passes on two variables of the
 * environment.
 * Source: Model Context Protocol 2025-11-25, basic/transports, "stdio".
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../protocol/json-object';
import { isUnsafeNumber, parseWithDigits } from '../../protocol/number-digits';
import { childEnvironment } from './child-environment';
import type { ProcessConfig, ServerLogListener } from './config';
import { MessageLines } from './message-lines';
import { endProcessGroup } from './process-group';
import { ProcessLog } from './process-log';
import { unwatchGroup, watchGroup } from './watchdog';

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #config: ProcessConfig;
  readonly #log: ProcessLog;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<void> | undefined;
  #afterNotification: JSONRPCMessage[] | undefined;
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
      child.once('close', () => this.#markClosed());
    }
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'The process of the MCP server is gone');
    if (!stdin.write(`${JSON.stringify(message)}\n`))
      await new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve));
  }

  async close(): Promise<void> {
    const groupId = this.#child?.pid;
    if (groupId !== undefined) await this.#end(groupId);
    this.#markClosed();
  }

  #end(groupId: number): Promise<void> {
    this.#child?.stdin.end();
    this.#ended ??= endProcessGroup(groupId).then(() => {
      unwatchGroup(groupId);
      // A process that left the group may hold the other ends open.
      this.#child?.stdout.destroy();
      this.#child?.stderr.destroy();
    });
    return this.#ended;
  }

  #markClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    while (this.#afterNotification) this.#deliverDelayed();
    this.onclose?.();
  }

  #read({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
    const messages = new MessageLines(MAX_MESSAGE_BYTES, (line) => this.#readMessage(line));
    stdout.on('data', (chunk: Buffer) => {
      if (!this.#closed) this.#guard(() => messages.push(chunk));
    });
    this.#log.readStderr(stderr);
    // A process may end without reading its stdin.
    stdin.on('error', () => {});
  }

  /** A line without an end cannot be skipped: the message after it would be lost with it. */
  #guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.onerror?.(error as Error);
      this.#log.warn(`${(error as Error).message}: the server is ended`);
      this.#markClosed();
      void this.close();
    }
  }

  #readMessage(line: string): void {
    if (this.#closed || line.trim() === '') return;
    const message = parseMessage(line);
    if (message) this.#deliver(message);
    else this.#log.skip(line);
  }

  /** The client reads a notification a few microtasks later: progress would be lost when the answer in the same chunk overtook it. */
  #deliver(message: JSONRPCMessage): void {
    if (this.#afterNotification) {
      this.#afterNotification.push(message);
      return;
    }
    this.onmessage?.(message);
    if ('id' in message) return;
    this.#afterNotification = [];
    setImmediate(() => this.#deliverDelayed());
  }

  #deliverDelayed(): void {
    const delayed = this.#afterNotification ?? [];
    this.#afterNotification = undefined;
    for (const message of delayed) this.#deliver(message);
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
