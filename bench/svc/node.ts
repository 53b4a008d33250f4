/** Nodes of the built service, as operators start them, each a process whose memory and CPU time can be read. */
import { type MeasuredProcess, startMeasured } from '../common/measured-process.ts';
import { builtFile } from './built-file.ts';
import type { Storage } from './service.ts';

export interface NodeOptions {
  /** Default: any free one. */
  port?: number;
  limits?: Record<string, number>;
  /** URL of the NATS server between the nodes. */
  nats?: string | undefined;
  /** More of the command's. */
  options?: readonly string[];
}

/** Resolves when it listens: at its `address`. */
export function startServiceNode(
  storage: Storage,
  { port = 0, limits = {}, nats, options = [] }: NodeOptions = {},
): Promise<MeasuredProcess> {
  const changes = Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`]);
  const bus = nats === undefined ? [] : ['--nats', nats];
  const args = [builtFile('service/dist/cli.js'), 'serve', '--port', String(port), ...storage, ...bus, ...changes, ...options];
  // Something must follow the digits, so that half a line does not give half a port.
  return startMeasured(args, { ready: /http:\/\/127\.0\.0\.1:\d+(?=\D)/ });
}
