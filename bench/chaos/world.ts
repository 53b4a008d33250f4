/** All processes of one run, and the links between them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { type KeyKind, PATHS, type ToolkitsPage } from '../../src/protocol/http.ts';
import { makeNats } from '../common/nats.ts';
import { makePostgres, postgresUrl } from '../common/postgres.ts';
import { startNode } from '../common/processes.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { toolkitEnvironment } from '../svc/sdk.ts';
import { createKey, inPostgres, onDisk, type Storage, startService } from '../svc/service.ts';
import { ledgerFile } from './ledger.ts';
import { Link } from './proxy.ts';
import { Restartable } from './restartable.ts';

export interface WorldOptions {
  folder: string;
  nodes: number;
  toolkits: number;
  replicas: number;
  /** One node on SQLite, without PostgreSQL and NATS. */
  sqlite: boolean;
  /** Options for `svc-sdk serve`. */
  nodeOptions: readonly string[];
}

export interface NodePlace {
  process: Restartable;
  /** Link from callers that choose the node. */
  door: Link;
  toNats?: Link | undefined;
  toPostgres?: Link | undefined;
}

export interface ReplicaPlace {
  process: Restartable;
  toolkit: string;
  link: Link;
}

export interface World {
  nodes: NodePlace[];
  replicas: ReplicaPlace[];
  /** Link from callers that do not choose a node. */
  front: Link;
  nats?: Restartable | undefined;
  postgres?: Restartable | undefined;
  agentKeys: string[];
  ledgers: string;
}

const AGENTS = 4;
const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url));

export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, sqlite } = options;
  const logs = join(folder, 'logs');
  const ledgers = join(folder, 'ledgers');
  for (const path of [logs, ledgers]) mkdirSync(path);
  const logFile = (name: string) => join(logs, `${name}.log`);
  const [postgres, nats] = sqlite ? [] : await Promise.all([startPostgres(logFile('postgres')), startNats(logFile('nats'))]);

  const storage = postgres ? inPostgres(postgresUrl(postgres.port)) : onDisk(join(folder, 'data'));
  const adminKey = await createKey('admin', storage);
  const nodes: NodePlace[] = [];
  for (let index = 0; index < options.nodes; index++) {
    const name = `node-${index + 1}`;
    const toNats = nats && (await Link.open(`${name} -> nats`, () => [nats.port]));
    const toPostgres = postgres && (await Link.open(`${name} -> postgres`, () => [postgres.port]));
    const data = toPostgres ? inPostgres(postgresUrl(toPostgres.port)) : storage;
    const bus = toNats ? ['--nats', `nats://127.0.0.1:${toNats.port}`] : [];
    nodes.push(await startServiceNode(name, [...data, ...bus], options.nodeOptions, logFile(name), { toNats, toPostgres }));
  }
  const ports = () => nodes.flatMap(({ process }) => portOf(process) ?? []);
  const front = await Link.open('callers -> nodes', ports);

  const toolkits = Array.from({ length: options.toolkits }, (_, index) => `shop-${index + 1}`);
  const agents = Array.from({ length: AGENTS }, (_, index) => `agent-${index + 1}`);
  const keysOf = async (kind: KeyKind, names: string[]) => {
    const keys = await createKeys(
      front.origin,
      adminKey,
      names.map((name) => ({ kind, name })),
    );
    return keys.map(({ key }) => key);
  };
  const agentKeys = await keysOf('agent', agents);
  const toolkitKeys = await keysOf('toolkit', toolkits);
  const replicas: ReplicaPlace[] = [];
  for (const [index, toolkit] of toolkits.entries()) {
    for (let replica = 0; replica < options.replicas; replica++) {
      const name = `${toolkit}-${replica + 1}`;
      const link = await Link.open(`${name} -> nodes`, ports, replicas.length);
      const env = toolkitEnvironment(link.origin, `${toolkitKeys[index]}`);
      const process = new Restartable(name, (life) =>
        startNode([TOOLKIT, ledgerFile(ledgers, `${name}.${life}`)], { env, ready: /ready/, logFile: logFile(name) }),
      );
      replicas.push({ process, toolkit, link });
    }
  }
  await Promise.all(replicas.map(({ process }) => process.start()));
  return { nodes, replicas, front, nats: nats?.process, postgres: postgres?.process, agentKeys, ledgers };
}

/** Ends everything in order: toolkits first, so that the ledgers are complete. */
export async function stopWorld({ nodes, replicas, front, nats, postgres }: World): Promise<void> {
  await Promise.all(replicas.map(({ process }) => process.stop()));
  await Promise.all(nodes.map(({ process }) => process.stop()));
  await nats?.kill();
  await postgres?.kill();
  const links = [
    front,
    ...replicas.map(({ link }) => link),
    ...nodes.flatMap(({ door, toNats, toPostgres }) => [door, toNats, toPostgres]),
  ];
  for (const link of links) link?.close();
}

/** Undefined while it is down. */
export function portOf({ readyMatch }: Restartable): number | undefined {
  return readyMatch && Number(new URL(readyMatch[0]).port);
}

/** How many replicas of each toolkit the service knows to be connected; undefined when it does not say. */
export async function connectedReplicas({ front, agentKeys }: World): Promise<number[] | undefined> {
  try {
    const answer = await request(front.origin + PATHS.toolkits, { headers: { authorization: `Bearer ${agentKeys[0]}` } });
    const body = await answer.body.text();
    return answer.statusCode === 200 ? (JSON.parse(body) as ToolkitsPage).toolkits.map(({ replicas }) => replicas) : undefined;
  } catch {
    return undefined; // A fault is not over yet; the caller polls again.
  }
}

async function startPostgres(logFile: string) {
  const place = await makePostgres();
  const process = new Restartable('postgres', () => place.start(logFile));
  await process.start();
  return { port: place.port, process };
}

async function startNats(logFile: string) {
  const place = await makeNats();
  const process = new Restartable('nats', () => place.start(logFile));
  await process.start();
  return { port: place.port, process };
}

async function startServiceNode(
  name: string,
  storage: Storage,
  options: readonly string[],
  logFile: string,
  links: Pick<NodePlace, 'toNats' | 'toPostgres'>,
): Promise<NodePlace> {
  const process = new Restartable(name, () => startService(storage, { options, logFile }));
  await process.start();
  return { process, door: await Link.open(`callers -> ${name}`, () => [portOf(process) ?? 0]), ...links };
}
