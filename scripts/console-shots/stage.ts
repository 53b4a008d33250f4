/** A service that looks as if a company had used it for weeks. */
import { join } from 'node:path';
import { SvcError, Toolkit, Tools } from 'svc-sdk';
import { type AllowList, type Budget, type CreatedKey, type CreateKeyRequest, createService, type Service } from 'svc-service';
import { temporaryFolder } from '../../bench/common/processes.ts';
import { ADMIN_PATHS } from '../../src/protocol/admin.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { CALENDAR_AUTH, writeAccounts } from './accounts.ts';
import { askAsApp, connectApp } from './apps.ts';
import { NOW, passMinute, passSeconds, passSomeMs, passToConversation, passToLastCalls, passToNow, stopClock } from './clock.ts';
import { writePast } from './past.ts';
import { SignedIn } from './people.ts';
import { type Asked, askPeople } from './questions.ts';
import { addActions, TOOLKITS, WEATHER } from './toolkits.ts';

export const OWNER = { name: 'Maya Okafor', email: 'maya@velo.example' };
/** Has an account, and nothing else yet. */
export const NEWCOMER = { name: 'Elin Berg', email: 'elin@velo.example' };
const MEMBERS = [{ name: 'Jonas Lindqvist', email: 'jonas@velo.example' }, { name: 'Priya Raman', email: 'priya@velo.example' }, NEWCOMER];

/** The most busy first. */
const AGENTS: { name: string; owner: string; allow?: AllowList; callsPerMinute?: number; budget?: Budget }[] = [
  { name: 'support-copilot', owner: OWNER.name, budget: { perCall: '0.1', perDay: '10' } },
  {
    name: 'shop-assistant',
    owner: 'Jonas Lindqvist',
    allow: { toolkits: ['orders', 'customers'], actions: [] },
    callsPerMinute: 600,
    budget: { perCall: '0.05', perDay: '4' },
  },
  { name: 'workshop-phone', owner: 'Priya Raman', allow: { toolkits: ['workshop'], actions: ['customers__find_customer'] } },
  { name: 'nightly-report', owner: OWNER.name, callsPerMinute: 60 },
];

export interface Stage {
  url: string;
  /** An unused one-time link. */
  joinToken: string;
  /** The address of the consent page with the request of an app. */
  consentPath: string;
  /** A call that failed, whose payload and error were kept. */
  failedCall: string;
  /** A toolkit that acts with accounts of its users, and those of the owner. */
  connectAccounts(): Promise<void>;
  /** A key with rules, and its calls that wait for a person. */
  asked(): Promise<Asked>;
  /** The newcomer's first program. */
  runWeather(apiKey: string): Promise<void>;
  close(): Promise<void>;
}

/** The session whose searches and calls have a picture. */
export const SESSION = 'webshop/chat-8f31';

/** The usual port where it is free: it is in many of the pictures. */
const PORTS = [8787, 0];

/** @param fill adds more to the file of the data before the service starts on it */
export async function openStage({ fill }: { fill?: (path: string, now: number) => void } = {}): Promise<Stage> {
  const data = join(temporaryFolder(), 'data');
  stopClock();
  const made = await makeData(data);
  passToNow();
  const { ids } = writePast(join(data, 'svc.sqlite'), { agentKeyIds: made.agents.map(({ id }) => id), now: NOW });
  const failedCall = ids.get(made.failedCall);
  fill?.(join(data, 'svc.sqlite'), NOW);
  if (failedCall === undefined) throw new Error(`The call ${made.failedCall} is not in the data`);

  const service = await onFirstFree(PORTS, (port) => createService({ port, data, console: true }));
  const toolkits = await runToolkits(service, made.toolkits);
  const consentPath = await askAsApp(service.url);
  let asked: Promise<Asked> | undefined;
  return {
    // Passkeys need a name.
    url: `http://localhost:${service.port}`,
    joinToken: made.joinToken,
    consentPath,
    failedCall,
    async connectAccounts() {
      const { key } = await service.keys.create({ kind: 'toolkit', name: 'calendar' });
      const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key });
      await toolkit.updateToolkit({ name: 'Calendar', auth: CALENDAR_AUTH });
      toolkit.action({ action: 'list_events', actionDescription: 'Lists the events of a day' }, () => []);
      void toolkit.run();
      await toolkit.ready;
      toolkits.push(toolkit);
      writeAccounts(join(data, 'svc.sqlite'), { email: OWNER.email, now: NOW });
    },
    asked() {
      asked ??= askPeople(service);
      return asked;
    },
    async runWeather(apiKey) {
      const toolkit = new Toolkit({ baseUrl: service.url, apiKey });
      addActions(toolkit, WEATHER);
      void toolkit.run();
      await toolkit.ready;
      toolkits.push(toolkit);
    },
    async close() {
      await Promise.all(toolkits.map((toolkit) => toolkit.stop({ timeoutMs: 500 })));
      await service.close();
    },
  };
}

async function onFirstFree(ports: readonly number[], start: (port: number) => Promise<Service>): Promise<Service> {
  const [port = 0, ...others] = ports;
  return start(port).catch((error: unknown) => (others.length > 0 ? onFirstFree(others, start) : Promise.reject(error)));
}

interface Made {
  agents: CreatedKey[];
  /** Keyed by the name of the toolkit. */
  toolkits: Map<string, CreatedKey>;
  joinToken: string;
  failedCall: string;
}

/** People, keys and settings, made the way that people make them. */
async function makeData(data: string): Promise<Made> {
  const service = await createService({ port: 0, data, console: true });
  const owner = await SignedIn.join(service.url, tokenOf(await service.setupLink()), OWNER);
  const people = new Map([[OWNER.name, owner]]);
  for (const member of MEMBERS) {
    passMinute();
    const { token } = await owner.invite('member', member.name);
    people.set(member.name, await SignedIn.join(service.url, token, member));
  }
  const createKey = (of: string, request: CreateKeyRequest) => {
    passMinute();
    return (
      people.get(of)?.request<CreatedKey>(PATHS.keys, { method: 'POST', body: request }) ??
      Promise.reject(new Error(`No person is called ${of}`))
    );
  };

  const agents: CreatedKey[] = [];
  for (const { owner: of, budget, ...agent } of AGENTS) {
    const created = await createKey(of, { kind: 'agent', ...agent });
    agents.push(created);
    // Only an owner may.
    if (budget) await owner.request(`${PATHS.keys}/${created.id}`, { method: 'PATCH', body: { budget } });
  }
  passMinute();
  await connectApp(service.url, owner);
  const toolkits = new Map<string, CreatedKey>();
  for (const { name, owner: of } of TOOLKITS) toolkits.set(name, await createKey(of, { kind: 'toolkit', name }));

  const { id: unused } = await createKey(OWNER.name, { kind: 'agent', name: 'spike-october' });
  await owner.request(`${PATHS.keys}/${unused}`, { method: 'DELETE' });
  await owner.request(`${PATHS.keys}/${agents[3]?.id}/rotate`, { method: 'POST' });
  await owner.request(ADMIN_PATHS.settings, { method: 'PATCH', body: { content: 'errors', searchTexts: 'all' } });
  const { token: joinToken } = await owner.invite('member', 'Tomás Herrera');
  // All of them once, so that the one which stays offline is in the catalogue too.
  const running = await runToolkits(service, toolkits, 1);
  passToConversation();
  await converse(service, agents);
  passToLastCalls();
  const failedCall = await callAll(service, agents);
  await Promise.all(running.map((toolkit) => toolkit.stop()));
  await service.close();
  return { agents, toolkits, joinToken, failedCall };
}

function tokenOf(link: string | undefined): string {
  const token = link?.split('#')[1];
  if (!token) throw new Error(`${link} is not a setup link`);
  return token;
}

async function runToolkits(service: Service, keys: ReadonlyMap<string, CreatedKey>, replicas?: number): Promise<Toolkit[]> {
  const running: Toolkit[] = [];
  for (const shown of TOOLKITS) {
    for (let replica = 0; replica < (replicas ?? shown.replicas); replica++) {
      const toolkit = new Toolkit({ baseUrl: service.url, apiKey: keys.get(shown.name)?.key ?? '' });
      await toolkit.updateToolkit({ name: shown.name, description: shown.description });
      addActions(toolkit, shown);
      void toolkit.run();
      await toolkit.ready;
      running.push(toolkit);
    }
  }
  return running;
}

/** The searches and calls of one session: two questions of a customer, with time to read and to write between them. */
async function converse(service: Service, [copilot]: readonly CreatedKey[]): Promise<void> {
  const tools = new Tools({ baseUrl: service.url, apiKey: copilot?.key ?? '', sessionId: SESSION, userId: 'cus_4821' });
  const search = async (afterMs: number, query: string) => {
    passSomeMs(afterMs);
    await tools.search(query);
  };
  const call = async (afterMs: number, action: string, payload: unknown) => {
    passSomeMs(afterMs);
    await tools.invoke(action, payload).catch(() => {});
  };
  await search(0, 'where is the parcel of this order');
  await call(1_900, 'orders__find_orders', { customer: 'cus_4821' });
  await call(2_100, 'orders__track_parcel', { order: 'R-20931' });
  await search(74_000, 'repair of the front brake, price and free appointment');
  await call(1_700, 'workshop__estimate_price', { model: 'Kestrel 400', broken: 'the front brake squeals' });
  await call(8_400, 'workshop__free_times', { week: '2026-11-23', repair: 'brakes' });
  await call(2_600, 'workshop__book_repair', { customer: 'cus_4821', time: '2026-11-24T09:00', repair: 'brakes' });
  await search(52_000, 'call the customer back by phone');
}

/** Calls of the last moments, whose payloads and errors are kept where they fail. Gives the id of one that failed. */
async function callAll(service: Service, [copilot, shop]: readonly CreatedKey[]): Promise<string> {
  const tools = new Tools({ baseUrl: service.url, apiKey: copilot?.key ?? '' });
  const shopTools = new Tools({ baseUrl: service.url, apiKey: shop?.key ?? '' });
  const call = async (by: Tools, action: string, payload: unknown): Promise<unknown> => {
    passSeconds();
    return by.invoke(action, payload).catch((error: unknown) => SvcError.is(error) && error.details.invocationId);
  };
  await call(tools, 'workshop__estimate_price', { model: 'Kestrel 400', broken: 'the front brake squeals' });
  await call(tools, 'orders__track_parcel', { order: 'R-20931' });
  await call(tools, 'orders__cancel_order', { order: '20931', reason: 'late' });
  await call(shopTools, 'customers__find_customer', { query: 'Falk' });
  await call(shopTools, 'orders__find_orders', { customer: 'cus_4821' });
  const failed = await call(tools, 'workshop__book_repair', { customer: 'cus_4821', time: '2026-11-24T09:00', repair: 'brakes' });
  if (typeof failed !== 'string') throw new Error('A call that has to fail did not');
  return failed;
}
