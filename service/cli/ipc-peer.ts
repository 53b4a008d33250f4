/**
 * Calls between a process and its child over Node's IPC channel: each side calls functions of the other.
 *
 * Errors: the SvcError of the function; SERVICE_UNAVAILABLE if the other side has exited or does not answer in time.
 */
import { type Problem, SvcError } from 'svc-sdk';

export type IpcMessage =
  | { kind: 'call'; id: number; name: string; args: unknown[] }
  | { kind: 'result'; id: number; value?: unknown }
  | { kind: 'error'; id: number; problem: Problem };

interface Caller {
  resolve(value: never): void;
  reject(error: SvcError): void;
  deadline: NodeJS.Timeout;
}

export class IpcPeer {
  readonly #send: (message: IpcMessage, onSent: (error: Error | null) => void) => void;
  readonly #functions: Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
  readonly #callers = new Map<number, Caller>();
  #lastId = 0;
  #closed: SvcError | undefined;

  /**
   * @param send as in `ChildProcess`, and in `process` of the child
   * @param functions callable by the other side
   */
  constructor(
    send: (message: IpcMessage, onSent: (error: Error | null) => void) => void,
    functions: Readonly<Record<string, (...args: never[]) => Promise<unknown>>>,
  ) {
    this.#send = send;
    this.#functions = functions;
  }

  /** Handles a message from the other side. */
  receive(message: IpcMessage): void {
    if (message.kind === 'call') void this.#run(message);
    else this.#settle(message);
  }

  call<T>(name: string, args: readonly unknown[], timeoutMs: number): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      const refuse = (message: string) => this.#take(id)?.reject(new SvcError('SERVICE_UNAVAILABLE', message));
      const deadline = setTimeout(() => refuse(`No answer of the process that serves the toolkits in ${timeoutMs / 1_000} s`), timeoutMs);
      this.#callers.set(id, { resolve, reject, deadline });
      this.#send({ kind: 'call', id, name, args: [...args] }, (error) => {
        if (error) refuse(error.message);
      });
    });
  }

  /** Rejects all pending and later calls. */
  close(error: SvcError): void {
    this.#closed ??= error;
    for (const id of [...this.#callers.keys()]) this.#take(id)?.reject(error);
  }

  async #run({ id, name, args }: IpcMessage & { kind: 'call' }): Promise<void> {
    // A side that has exited needs no answer.
    const answer = (message: IpcMessage) => this.#send(message, () => {});
    try {
      const value = await this.#functions[name]?.(...(args as never[]));
      answer({ kind: 'result', id, value });
    } catch (error) {
      const known = SvcError.is(error) ? error : new SvcError('INTERNAL', error instanceof Error ? error.message : String(error));
      answer({ kind: 'error', id, problem: known.toProblem() });
    }
  }

  #settle(message: IpcMessage & { kind: 'result' | 'error' }): void {
    const caller = this.#take(message.id);
    if (message.kind === 'result') caller?.resolve(message.value as never);
    else caller?.reject(SvcError.fromProblem(message.problem) ?? new SvcError('INTERNAL', message.problem.detail));
  }

  #take(id: number): Caller | undefined {
    const caller = this.#callers.get(id);
    clearTimeout(caller?.deadline);
    this.#callers.delete(id);
    return caller;
  }
}
