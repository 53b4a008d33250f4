/**
 * An MCP server as a process: one JSON-RPC message a line on stdin and stdout.
 *
 * Differs from the SDK's transport: ends the whole process group, accepts messages of 32 MB, skips text on stdout, reads no faster than messages
 * are handled in turns, and passes on only the environment variables that a program needs.
 * Source: Model Context Protocol 2025-11-25, basic/transports, "stdio".
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '#sdk/protocol/json-object';
import { isUnsafeNumber, parseWithDigits } from '#sdk/protocol/number-digits';
import type { Redactor } from '../redactor';
import { childEnvironment } from './child-environment';
import type { ProcessConfig, ServerLogListener } from './config';
import { MessagePipes } from './message-pipes';
import { endProcessGroup } from './process-group';
import { ProcessLog } from './process-log';
import { unwatchGroup, watchGroup } from './watchdog';

const REST_MS = 1_000;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #config: ProcessConfig;
  readonly #redactor: Redactor;
  readonly #log: ProcessLog;
  #child: ChildProcessWithoutNullStreams | undefined;
  #messages: MessagePipes | undefined;
  #ended: Promise<void> | undefined;
  #closed = false;

  /** @param redactor for all messages of the server: agents must not receive its credentials */
  constructor(config: ProcessConfig, { log, redactor }: { log: ServerLogListener; redactor: Redactor }) {
    this.#config = config;
    this.#redactor = redactor;
    this.#log = new ProcessLog(log);
  }

  /** The last lines of its stderr, or ''. */
  get lastWords(): string {
    return this.#log.lastWords;
  }

  /** Rejects if the program does not exist. */
  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.#config;
    const child = spawn(command, args, { cwd, env: childEnvironment(env), detached: true, windowsHide: true });
    this.#child = child;
    this.#messages = this.#messagesOf(child);
    this.#log.readStderr(child.stderr);
    const groupId = child.pid;
    if (groupId !== undefined) {
      watchGroup(groupId);
      // The first process may exit before others of its group.
      child.once('exit', () => void this.#end(groupId));
      child.once('close', () => this.#messages?.end());
    }
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#messages?.isWritable) throw new SdkError(SdkErrorCode.NotConnected, 'The process of the MCP server is gone');
    await this.#messages.send(message);
  }

  async close(): Promise<void> {
    this.#messages?.stop();
    const groupId = this.#child?.pid;
    if (groupId !== undefined) await this.#end(groupId);
    this.#markClosed();
  }

  #end(groupId: number): Promise<void> {
    this.#child?.stdin.end();
    this.#ended ??= endProcessGroup(groupId).then(async () => {
      unwatchGroup(groupId);
      if (this.#child) await closeStreams(this.#child);
    });
    return this.#ended;
  }

  #markClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #messagesOf(child: ChildProcessWithoutNullStreams): MessagePipes {
    return new MessagePipes(child, {
      parse: (line) => {
        const message = parseMessage(this.#redactor.result(line));
        if (!message) this.#log.skip(line);
        return message;
      },
      onMessage: (message) => this.onmessage?.(message),
      // A line without an end cannot be skipped: the next message would be lost with it.
      onFault: (error) => {
        this.onerror?.(error);
        this.#log.warn(`${error.message}: the server is ended`);
        this.#markClosed();
        void this.close();
      },
      onEnd: () => this.#markClosed(),
    });
  }
}

/** A server that exited may have unread output. A process that left the group may keep the streams open. */
async function closeStreams(child: ChildProcessWithoutNullStreams): Promise<void> {
  const { stdout, stderr } = child;
  if (!stdout.closed || !stderr.closed) await once(child, 'close', { signal: AbortSignal.timeout(REST_MS) }).catch(() => {});
  stdout.destroy();
  stderr.destroy();
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
