/** `node bench/sockets.ts [--sockets 10000] [--replicas 1] [--processes 2] [--heartbeat-ms 15000] [--limit name=value …] [--cluster] [--json FILE]`. */
import { parseArgs } from 'node:util';

export interface SocketsOptions {
  /** All of them together. */
  sockets: number;
  /** Sockets of one toolkit. */
  replicas: number;
  /** That the toolkits live in. */
  processes: number;
  heartbeatMs: number;
  /** Of the service. */
  limits: Record<string, number>;
  /** Also two nodes on PostgreSQL and NATS, of which one dies. */
  cluster: boolean;
  json: string | undefined;
}

export function readSocketsOptions(args: string[]): SocketsOptions {
  const { values } = parseArgs({
    args,
    options: {
      sockets: { type: 'string', default: '10000' },
      replicas: { type: 'string', default: '1' },
      processes: { type: 'string', default: '2' },
      'heartbeat-ms': { type: 'string', default: '15000' },
      limit: { type: 'string', multiple: true, default: [] },
      cluster: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const replicas = wholeNumber('replicas', values.replicas);
  const heartbeatMs = wholeNumber('heartbeat-ms', values['heartbeat-ms']);
  const changes = values.limit.map((change) => {
    const [name = '', value = ''] = change.split('=');
    return [name, wholeNumber(name, value)];
  });
  return {
    sockets: wholeNumber('sockets', values.sockets),
    replicas,
    processes: wholeNumber('processes', values.processes),
    heartbeatMs,
    limits: { heartbeatMs, socketsPerKey: Math.max(64, replicas), ...Object.fromEntries(changes) },
    cluster: values.cluster,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} is ${JSON.stringify(text)}; it needs a whole number above 0`);
  return value;
}
