/** Nodes of the built service, as operators start them, each a process whose memory and CPU time can be asked for. */
import { type MeasuredProcess, startMeasured } from '../common/measured-process.ts';
import { builtFile } from './built-file.ts';

/** Where a node keeps what must last, and what it talks to other nodes with. */
export type Engine = { data: string } | { database: string; nats?: string };

export interface NodeOptions {
  /** Default: any free one. */
  port?: number;
  limits?: Record<string, number>;
}

/** Resolves when it listens: at its `address`. */
export function startServiceNode(engine: Engine, { port = 0, limits = {} }: NodeOptions = {}): Promise<MeasuredProcess> {
  const changes = Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`]);
  const data = 'data' in engine ? ['--data', engine.data] : [];
  const args = [builtFile('cli.js'), 'serve', '--port', String(port), ...data, ...changes];
  // Something must follow the digits, so that half a line does not give half a port.
  return startMeasured(args, { env: engineEnvironment(engine), ready: /http:\/\/127\.0\.0\.1:\d+(?=\D)/ });
}

/** For the service and for the commands beside it: a database URL may hold a password, which everybody can read in a command line. */
export function engineEnvironment(engine: Engine): Record<string, string> {
  if ('data' in engine) return {};
  return { SVC_DATABASE_URL: engine.database, ...(engine.nats !== undefined && { SVC_NATS_URL: engine.nats }) };
}
