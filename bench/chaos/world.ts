/** All processes of one run, and the links between them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { toMillionths } from '../../src/protocol/amount.ts';
import { type CreateKeyRequest, PATHS, type ToolkitsPage } from '../../src/protocol/http.ts';
import type { Language } from '../common/language.ts';
import { makeNats } from '../common/nats.ts';
import { makePostgres, postgresUrl } from '../common/postgres.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { toolkitEnvironment } from '../svc/sdk.ts';
import { createKey, inPostgres, onDisk, type Storage, startService } from '../svc/service.ts';
import { ledgerFile } from './ledger.ts';
import { type Link, Links } from './links.ts';
import { prepareReplicas } from './replicas.ts';
import { Restartable } from './restartable.ts';
import { type LedgerRow, readPostgresLedger, readSqliteLedger } from './service-ledger.ts';

export interface WorldOptions {
  folder: string;
  nodes: number;
  toolkits: number;
  replicas: number;
  /** The replicas of each toolkit take turns. */
  languages: readonly Language[];
  /** One node on SQLite, without PostgreSQL and NATS. */
  sqlite: boolean;
  /** The budget of a day that the paid calls of a run use up: an amount. */
  tightBudget: string;
  /** Options for `svc-service serve`. */
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
  language: Language;
  link: Link;
}

export interface World {
  nodes: NodePlace[];
  replicas: ReplicaPlace[];
  /** Link from callers that do not choose a node. */
  front: Link;
  nats?: Restartable | undefined;
  postgres?: Restartable | undefined;
  adminKey: string;
  /** A rule asks about all calls of the last one. */
  agentKeys: string[];
  /** Agent key id -> its budget of a day, in millionths. */
  budgets: ReadonlyMap<string, bigint>;
  ledgers: string;
  /** Call it between `stopService` and `stopWorld`. */
  readServiceLedger(): Promise<LedgerRow[]>;
  links: Links;
}

/** Limits of one key that the calls and questions of a run may exceed. */
const NODE_LIMITS = ['detachedPerKey=10000', 'approvalsPerKey=10000'].flatMap((limit) => ['--limit', limit]);
/** A budget of a day. */
const AMPLE_BUDGET = '1000000';

export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, languages, sqlite } = options;
  const programs = await prepareReplicas(languages);
  const logs = join(folder, 'logs');
  const ledgers = join(folder, 'ledgers');
  for (const path of [logs, ledgers]) mkdirSync(path);
  const logFile = (name: string) => join(logs, `${name}.log`);
  const [postgres, nats] = sqlite ? [] : await Promise.all([startPostgres(logFile('postgres')), startNats(logFile('nats'))]);

  const storage = postgres ? inPostgres(postgresUrl(postgres.port)) : onDisk(join(folder, 'data'));
  const adminKey = await createKey('admin', storage);
  const links = new Links();
  if (nats) links.setTarget('nats', nats.port);
  if (postgres) links.setTarget('postgres', postgres.port);
  const nodes: NodePlace[] = [];
  for (let index = 0; index < options.nodes; index++) {
    const name = `node-${index + 1}`;
    const toNats = nats && (await links.open(`${name} -> nats`, ['nats']));
    const toPostgres = postgres && (await links.open(`${name} -> postgres`, ['postgres']));
    const data = toPostgres ? inPostgres(postgresUrl(toPostgres.port)) : storage;
    const bus = toNats ? ['--nats', `nats://127.0.0.1:${toNats.port}`] : [];
    const process = await startServiceNode(name, [...data, ...bus], {
      options: [...NODE_LIMITS, ...options.nodeOptions],
      logFile: logFile(name),
      links,
    });
    nodes.push({ process, door: await links.open(`callers -> ${name}`, [name]), toNats, toPostgres });
  }
  const names = nodes.map(({ process }) => process.name);
  const front = await links.open('callers -> nodes', names);

  const toolkits = Array.from({ length: options.toolkits }, (_, index) => `shop-${index + 1}`);
  // The tight budgets are used up during a run.
  const budgets = [AMPLE_BUDGET, AMPLE_BUDGET, options.tightBudget, options.tightBudget, AMPLE_BUDGET];
  const agents = budgets.map(
    (perDay, index): CreateKeyRequest => ({
      kind: 'agent',
      name: `agent-${index + 1}`,
      budget: { perCall: '0.05', perDay },
      ...(index === budgets.length - 1 && { rules: [{ match: {}, do: 'ask' }] }),
    }),
  );
  const keysOf = (requests: CreateKeyRequest[]) => createKeys(front.origin, adminKey, requests);
  const agentKeys = await keysOf(agents);
  const toolkitKeys = await keysOf(toolkits.map((name) => ({ kind: 'toolkit', name })));
  const replicas: ReplicaPlace[] = [];
  for (const [index, toolkit] of toolkits.entries()) {
    for (let replica = 0; replica < options.replicas; replica++) {
      const name = `${toolkit}-${replica + 1}`;
      // Each toolkit begins with another language.
      const program = programs[(index + replica) % programs.length];
      if (!program) throw new Error('A replica has a language');
      const { language, start } = program;
      const link = await links.open(`${name} -> nodes`, names, replicas.length);
      const env = toolkitEnvironment(link.origin, `${toolkitKeys[index]?.key}`);
      const process = new Restartable(name, (life) =>
        start(ledgerFile(ledgers, `${name}.${life}`), { env, ready: /ready/, logFile: logFile(name) }),
      );
      replicas.push({ process, toolkit, language, link });
    }
  }
  await Promise.all(replicas.map(({ process }) => process.start()));
  return {
    nodes,
    replicas,
    front,
    nats: nats?.process,
    postgres: postgres?.process,
    adminKey,
    agentKeys: agentKeys.map(({ key }) => key),
    budgets: new Map(agentKeys.map(({ id }, index) => [id, toMillionths(budgets[index]) ?? 0n])),
    ledgers,
    readServiceLedger: async () => (postgres ? readPostgresLedger(postgres.port) : readSqliteLedger(join(folder, 'data'))),
    links,
  };
}

/** Ends toolkits and nodes in this order, so that the ledgers are complete. */
export async function stopService({ nodes, replicas }: World): Promise<void> {
  await Promise.all(replicas.map(({ process }) => process.stop()));
  await Promise.all(nodes.map(({ process }) => process.stop()));
}

export async function stopWorld({ nats, postgres, links }: World): Promise<void> {
  await nats?.kill();
  await postgres?.kill();
  await links.close();
}

/** The number of connected replicas of each toolkit, from the service; undefined without an answer. */
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
  { links, ...options }: { options: readonly string[]; logFile: string; links: Links },
): Promise<Restartable> {
  const process = new Restartable(name, () => {
    const node = startService(storage, options);
    // A start that fails is reported by the restartable process.
    node.ready.then(([url]) => links.setTarget(name, Number(new URL(url).port))).catch(() => undefined);
    return node;
  });
  await process.start();
  return process;
}
