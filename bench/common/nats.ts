import { locateProgram } from '../../scripts/programs.ts';
import { freePort } from './free-port.ts';
import { type RunningProcess, startProcess } from './processes.ts';

export interface NatsPlace {
  port: number;
  start(logFile?: string): RunningProcess;
}

/** A nats-server of our own, on a free port. It keeps nothing. Rejects when it is not installed. */
export async function makeNats(): Promise<NatsPlace> {
  const program = locateProgram('nats');
  const port = await freePort();
  const args = ['-a', '127.0.0.1', '-p', `${port}`];
  return { port, start: (logFile) => startProcess(program, args, { ready: /Server is ready/, logFile }) };
}
