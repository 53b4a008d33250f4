import { freePort } from './free-port.ts';
import { type RunningProcess, startProcess } from './processes.ts';

export interface NatsPlace {
  port: number;
  start(logFile?: string): RunningProcess;
}

/** A nats-server of our own, from the PATH, on a free port. It keeps nothing. */
export async function makeNats(): Promise<NatsPlace> {
  const port = await freePort();
  const args = ['-a', '127.0.0.1', '-p', `${port}`];
  return { port, start: (logFile) => startProcess('nats-server', args, { ready: /Server is ready/, logFile }) };
}
