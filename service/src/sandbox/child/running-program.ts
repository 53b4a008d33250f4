/**
 * One program in one instance of QuickJS. The instance reaches nothing of this process but the host function below, which takes and returns
 * numbers and strings.
 *
 * Errors: a program's own error ends it as PROGRAM_ERROR. The engine cannot be trusted after an interrupt or a full memory: both end it.
 */
import type { JSValueHandle, QuickJS } from 'quickjs-wasi';
import type { AttemptEnd, FromPrograms, ProgramCallMessage, StartMessage } from '../messages';
import type { ProgramLimits } from '../program';
import { ComputingTime } from './computing-time.ts';
import { PRELUDE } from './prelude.ts';
import type { Pulse } from './pulse.ts';

const MAX_STACK_BYTES = 512 * 1024;
const MAX_BLOCKS = 32;
const MAX_TEXT_CHARS = 8_000_000;
/** Stacks name it, so lines are found by it. */
const FILE = 'program.js';

type Engine = Pick<typeof QuickJS, 'create'>;
/** `calls` and the like name the limit that a program has reached. */
type HostResult = number | 'calls' | 'callChars' | 'contentChars' | 'content' | undefined;

export class RunningProgram {
  readonly #start: StartMessage;
  readonly #pulse: Pulse;
  readonly #send: (message: FromPrograms) => void;
  readonly #time = new ComputingTime();
  readonly #calls = { made: 0, open: 0, waiting: 0, queue: [] as ProgramCallMessage[] };
  readonly #output = { log: '', logChars: 0, contentChars: 0, blocks: 0 };
  #vm: QuickJS | undefined;
  #settle: JSValueHandle | undefined;
  #end: AttemptEnd | undefined;

  constructor(start: StartMessage, pulse: Pulse, send: (message: FromPrograms) => void) {
    this.#start = start;
    this.#pulse = pulse;
    this.#send = send;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  get memoryBytes(): number {
    return this.#vm?.getAllocatedSize() ?? 0;
  }

  async begin(engine: Engine, module: WebAssembly.Module): Promise<void> {
    let vm: QuickJS;
    try {
      vm = await this.#create(engine, module);
    } catch {
      this.#end ??= {
        status: 'failed',
        code: 'BUSY',
        message: 'The machine has no memory for the program now. Try again in some seconds.',
      };
      return this.#send({ type: 'end', attempt: this.#start.attempt, end: this.#end });
    }
    if (this.#end) return vm.dispose();
    this.#vm = vm;
    this.#compute(() => {
      vm.setProp(
        vm.global,
        '__host',
        vm.newFunction('__host', (...values) => this.#answerHost(vm, values)),
      );
      const { settle, run } = membersOf(vm.evalCode(PRELUDE, 'prelude.js'));
      this.#settle = settle;
      const main = this.#compile(vm, this.#start.code);
      if (main) vm.callFunction(run, vm.undefined, main).dispose();
    });
  }

  async #create(engine: Engine, module: WebAssembly.Module): Promise<QuickJS> {
    const { startedAt, seed, limits } = this.#start;
    // QuickJS seeds its random numbers with the clock, once.
    let clockNs = BigInt.asUintN(64, BigInt(seed));
    const vm = await engine.create({
      wasm: module,
      memoryLimit: limits.memoryBytes,
      maxStackSize: MAX_STACK_BYTES,
      timezoneOffset: 0,
      wasi: (memory) => ({
        clock_time_get: (_clock: number, _precision: bigint, at: number) => {
          new DataView(memory.buffer).setBigUint64(at, clockNs, true);
          return 0;
        },
        random_get: (at: number, length: number) => {
          new Uint8Array(memory.buffer, at, length).fill(0);
          return 0;
        },
        // The default writes the engine's own messages to this process's output.
        fd_write: () => 8,
      }),
      interruptHandler: () => {
        this.#pulse.beat();
        return this.#end !== undefined || this.#time.usedMs > this.#allowanceMs;
      },
    });
    clockNs = BigInt(startedAt) * 1_000_000n;
    return vm;
  }

  answer(call: number, answer: { ok: boolean; json: string } | 'waits'): void {
    const vm = this.#vm;
    const settle = this.#settle;
    if (!vm || !settle || this.#end) return;
    this.#calls.open--;
    this.#sendQueued();
    if (answer === 'waits') this.#calls.waiting++;
    this.#compute(() => {
      if (answer === 'waits') return;
      const json = vm.newString(answer.json);
      vm.callFunction(settle, vm.undefined, vm.newNumber(call), answer.ok ? vm.true : vm.false, json).dispose();
      json.dispose();
    });
  }

  /** The host has lost its interest. */
  stop(): void {
    this.#end ??= { status: 'suspended' };
    this.#vm?.dispose();
    this.#vm = undefined;
  }

  /** All computing goes through here. Afterwards the program waits for calls or has ended. */
  #compute(work: () => void): void {
    this.#pulse.begin(this.#start.attempt);
    this.#time.resume();
    try {
      work();
      this.#vm?.executePendingJobs();
    } catch (error) {
      this.#end ??= engineFailure(error);
    }
    this.#time.pause();
    this.#conclude();
    this.#pulse.end();
  }

  #conclude(): void {
    const { open, waiting } = this.#calls;
    // An async function turns the interrupt into a rejection, so the time decides first.
    if (this.#end?.status !== 'done' && this.#time.usedMs > this.#allowanceMs) this.#end = this.#tookTooLong();
    else if (open === 0) this.#end ??= waiting > 0 ? { status: 'suspended' } : NEVER_ENDS;
    if (this.#end?.status === 'done' && open > 0) this.#end = notAwaited(open);
    this.#sendLog();
    if (!this.#end) return;
    this.#vm?.dispose();
    this.#vm = undefined;
    this.#send({ type: 'end', attempt: this.#start.attempt, end: this.#end });
  }

  #tookTooLong(): AttemptEnd {
    if (!this.#start.slow) return { status: 'again', slow: true };
    const { cpuMs } = this.#start.limits;
    const message = `The program computed for more than ${cpuMs} ms; time in calls does not count. Is there a loop that never ends?`;
    return { status: 'failed', code: 'CPU_LIMIT', message };
  }

  get #allowanceMs(): number {
    const { cpuMs, fastCpuMs } = this.#start.limits;
    return this.#start.slow ? cpuMs : Math.min(cpuMs, fastCpuMs);
  }

  #compile(vm: QuickJS, code: string): JSValueHandle | undefined {
    try {
      // One line, so that its lines are the program's.
      return vm.evalCode(`(async () => {${code}\n})`, FILE);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'SyntaxError') throw error;
      this.#end ??= { status: 'failed', code: 'SYNTAX_ERROR', message: error.message.slice(0, 2_000), line: lineIn(error.stack) };
      return undefined;
    }
  }

  /**
   * All that a program can ask for. It never throws an error of this process, whose stack the engine would copy into the program.
   */
  #answerHost(vm: QuickJS, values: readonly JSValueHandle[]): JSValueHandle {
    try {
      const [kind, ...rest] = values.map(primitiveIn);
      const result = this.#answerKind(kind, rest);
      if (typeof result === 'string') return vm.newString(result);
      return result === undefined ? vm.undefined : vm.newNumber(result);
    } catch {
      // The engine has no room for the texts.
      this.#end ??= OUT_OF_MEMORY;
      return vm.undefined;
    }
  }

  #answerKind(kind: string | number | undefined, [first, second, third]: readonly (string | number | undefined)[]): HostResult {
    if (this.#end) return undefined;
    switch (kind) {
      case 'limit':
        return this.#limit(String(first));
      case 'invoke':
      case 'search':
      case 'describe':
        return typeof first === 'string' && typeof second === 'string' ? this.#call(kind, first, second) : 'callChars';
      case 'log':
        return this.#log(String(first));
      case 'emit':
        return this.#emit(first, second, third);
      case 'done':
        this.#end = { status: 'done', resultJson: String(first) };
        return undefined;
      case 'long':
        this.#end = tooLong(Number(first), this.#start.limits, String(second));
        return undefined;
      case 'failed':
        this.#end = failureOf(String(first), String(second), String(third));
        return undefined;
      default:
        return undefined;
    }
  }

  #limit(name: string): number | undefined {
    const { limits } = this.#start;
    return Object.hasOwn(limits, name) ? limits[name as keyof ProgramLimits] : undefined;
  }

  #call(kind: ProgramCallMessage['kind'], action: string, payloadJson: string): HostResult {
    const { limits, attempt } = this.#start;
    if (action.length + payloadJson.length > limits.callChars) return 'callChars';
    if (this.#calls.made >= limits.calls) return 'calls';
    const call = ++this.#calls.made;
    this.#calls.open++;
    this.#calls.queue.push({ type: 'call', attempt, call, kind, action, payloadJson });
    this.#sendQueued();
    return call;
  }

  #sendQueued(): void {
    const { queue } = this.#calls;
    const underWay = () => this.#calls.open - queue.length;
    for (let next = queue[0]; next && underWay() < this.#start.limits.callsAtOnce; next = queue[0]) {
      queue.shift();
      this.#send(next);
    }
  }

  #log(line: string): undefined {
    const left = this.#start.limits.logChars - this.#output.logChars;
    if (left <= 0) return;
    this.#output.logChars += line.length + 1;
    this.#output.log +=
      line.length < left
        ? `${line}\n`
        : `${line.slice(0, left)}\n[The log is cut here: it has at most ${this.#start.limits.logChars} characters]\n`;
  }

  /** Once per turn of the engine: a loop that logs must not become a message per line. */
  #sendLog(): void {
    if (this.#output.log === '') return;
    this.#send({ type: 'log', attempt: this.#start.attempt, text: this.#output.log });
    this.#output.log = '';
  }

  #emit(type: unknown, data: unknown, mimeType: unknown): HostResult {
    if (typeof data !== 'string' || typeof mimeType !== 'string') return 'content';
    if (type !== 'text' && !(type === 'image' && isImage(data, mimeType))) return 'content';
    if (this.#output.blocks >= MAX_BLOCKS || this.#output.contentChars + data.length > this.#start.limits.contentChars)
      return 'contentChars';
    this.#output.blocks++;
    this.#output.contentChars += data.length;
    const block = type === 'text' ? ({ type: 'text', text: data } as const) : ({ type: 'image', data, mimeType } as const);
    this.#send({ type: 'content', attempt: this.#start.attempt, block });
    return undefined;
  }
}

const NEVER_ENDS: AttemptEnd = {
  status: 'failed',
  code: 'NEVER_ENDS',
  message: 'The program waits for a promise that no call will settle. Await calls only, and return when you are done.',
};

function notAwaited(open: number): AttemptEnd {
  const message = `The program ended while ${open} ${open === 1 ? 'call was' : 'calls were'} under way, so their outcome is unknown. Await every call.`;
  return { status: 'failed', code: 'CALLS_NOT_AWAITED', message };
}

function tooLong(chars: number, { resultChars }: ProgramLimits, beginning: string): AttemptEnd {
  const advice = 'Return a part of it: filter, count or slice it in the program.';
  const message = `The result has ${chars} characters as JSON; at most ${resultChars} are returned. ${advice} It begins: ${beginning}`;
  return { status: 'failed', code: 'RESULT_TOO_LONG', message };
}

function failureOf(code: string, message: string, stack: string): AttemptEnd {
  if (isOutOfMemory(message)) return OUT_OF_MEMORY;
  return { status: 'failed', code: code === 'TOO_MANY_CALLS' ? code : 'PROGRAM_ERROR', message, line: lineIn(stack) };
}

const OUT_OF_MEMORY: AttemptEnd = {
  status: 'failed',
  code: 'MEMORY_LIMIT',
  message: 'The program used more memory than it may. Keep less at a time: read results in parts, and keep only what you need of each.',
};

/** Thrown by the engine outside of the program's promises. */
function engineFailure(error: unknown): AttemptEnd {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (isOutOfMemory(message)) return OUT_OF_MEMORY;
  return {
    status: 'failed',
    code: 'PROGRAM_ERROR',
    message: message.slice(0, 2_000),
    line: error instanceof Error ? lineIn(error.stack) : undefined,
  };
}

function isOutOfMemory(message: string): boolean {
  return /out of memory|wasm_malloc failed/.test(message);
}

function lineIn(stack: string | undefined): number | undefined {
  const line = stack === undefined ? undefined : /program\.js:([1-9]\d{0,8})/.exec(stack)?.[1];
  return line === undefined ? undefined : Number(line);
}

function isImage(data: string, mimeType: string): boolean {
  return /^image\/[\w.+-]{1,60}$/.test(mimeType) && data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

function membersOf(prelude: JSValueHandle): { settle: JSValueHandle; run: JSValueHandle } {
  return { settle: prelude.getProp('settle'), run: prelude.getProp('run') };
}

/** Reads no other value, since a conversion to text would run code of the program, and no text of which no limit would allow half. */
function primitiveIn(handle: JSValueHandle): string | number | undefined {
  if (handle.isString) return handle.length <= MAX_TEXT_CHARS ? handle.toString() : undefined;
  return handle.isNumber ? handle.toNumber() : undefined;
}
