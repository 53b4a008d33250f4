/** A real service that stores the data of the console, and its store for inspection. */

import { readNatsOptions } from '../../service/src/bus/nats-options';
import { openBus } from '../../service/src/bus/open-bus';
import { DEFAULT_RANK_WEIGHTS } from '../../service/src/catalog/search/index';
import { SecretKeysSource } from '../../service/src/connections/secret-keys-source';
import { silentLogger } from '../../service/src/lib/logger';
import { startService } from '../../service/src/lifecycle/start-service';
import type { InvocationDetails } from '../../service/src/store/console-store';
import { readLocation } from '../../service/src/store/location';
import { openStore } from '../../service/src/store/open-store';
import type { InvocationRecord, Store } from '../../service/src/store/store';
import type { Settings, TimelineEntry } from '../../src/protocol/admin';
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits';
import { type TestService, withClients } from './service';

export interface RecordedService extends TestService {
  store: Store;
  /** Newest first. */
  calls(): Promise<InvocationRecord[]>;
  /** The details of the newest call, once they are written. */
  details(id?: string): Promise<InvocationDetails | undefined>;
  timeline(id?: string): Promise<TimelineEntry[]>;
}

export interface RecordedOptions {
  /** Stored before the start. */
  settings?: Partial<Settings>;
  limits?: Partial<Limits>;
  data?: string;
  /** Options: `nats` for one of several nodes. */
  database?: string;
  nats?: string;
}

export async function startRecorded({ settings = {}, limits = {}, nats, ...place }: RecordedOptions = {}): Promise<RecordedService> {
  const logger = silentLogger;
  const store = await openStore(readLocation(place), { durability: undefined, shared: nats !== undefined, logger });
  await store.settings.put(
    Object.entries(settings).map(([name, value]) => ({ name, value })),
    Date.now(),
  );
  const bus = await openBus({ nats: nats === undefined ? undefined : readNatsOptions(nats), logger });
  const service = await startService({
    store,
    bus,
    shared: nats !== undefined,
    currency: 'USD',
    settlement: undefined,
    limits: { ...DEFAULT_LIMITS, ...limits },
    review: { newActions: 'allow', changedActions: 'allow' },
    ruleDefaults: {},
    learning: 'off',
    embeddings: undefined,
    rankWeights: DEFAULT_RANK_WEIGHTS,
    metrics: undefined,
    tracing: undefined,
    console: {},
    catalogue: 'members',
    secretKeys: new SecretKeysSource({ secretsKey: undefined, data: place.data, database: place.database }),
    connections: {},
    code: false,
    importer: undefined,
    logger,
    port: 0,
    host: '127.0.0.1',
    hosts: { names: [], addresses: false },
    origins: new Set(),
    smtpUrl: undefined,
    onRegistration: undefined,
  });
  const calls = () => store.invocations.list({ limit: 100 });
  const details = async (id?: string) => store.invocations.details(id ?? (await calls())[0]?.id ?? '');
  const timeline = async (id?: string) => JSON.parse((await details(id))?.timeline ?? '[]') as TimelineEntry[];
  return { ...withClients(service), store, calls, details, timeline };
}
