/** A thread of the pool: many programs, each in an instance of its own. It may read the engine and these files, and start nothing. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromPrograms, ToPrograms } from '../messages';
import type { ThreadData } from './program-thread.ts';
import { Pulse } from './pulse.ts';
import { RunningProgram } from './running-program.ts';

const { module, engine, pulse: buffer } = workerData as ThreadData;
// Not awaited here: Deno drops messages that arrive before the listener below.
const loaded = import(engine) as Promise<typeof import('quickjs-wasi')>;
const pulse = new Pulse(buffer);
const programs = new Map<number, RunningProgram>();

const send = (message: FromPrograms) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToPrograms) => {
  if (message.type === 'start') {
    const program = new RunningProgram(message, pulse, send);
    programs.set(message.attempt, program);
    void loaded.then(({ QuickJS }) => program.begin(QuickJS, module)).finally(() => tidy(message.attempt, program));
    return;
  }
  const program = programs.get(message.attempt);
  if (!program) return;
  if (message.type === 'stop') program.stop();
  else program.answer(message.call, message.answer);
  tidy(message.attempt, program);
});

function tidy(attempt: number, program: RunningProgram): void {
  if (program.hasEnded) programs.delete(attempt);
  let bytes = 0;
  for (const { memoryBytes } of programs.values()) bytes += memoryBytes;
  pulse.memoryMb = Math.ceil(bytes / 1_048_576);
}
