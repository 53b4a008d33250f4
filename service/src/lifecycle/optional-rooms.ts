/** Rooms that are off by default. Each is imported only when it is on, which keeps the start fast. */
import type { OpenAttentionDeps, OpenedAttention } from '../attention/open-attention';
import type { Bus } from '../bus/bus';
import type { Catalog } from '../catalog/catalog';
import type { Embeddings, EmbeddingsDeps } from '../embeddings/embeddings';
import type { Hub } from '../hub/hub';
import type { Metrics } from '../metrics/index';
import type { Settlement, SettlementDeps } from '../payments/settlement';
import type { RecordsDeps } from '../records/open-records';
import type { Records } from '../records/records';
import type { Store } from '../store/store';
import type { StartOptions } from './start-options';

export interface Measured {
  metrics: Metrics | undefined;
  store: Store;
  bus: Bus;
}

export async function openMetrics({ metrics: settings, store, bus }: Pick<StartOptions, 'metrics' | 'store' | 'bus'>): Promise<Measured> {
  if (!settings) return { metrics: undefined, store, bus };
  const { Metrics, measuredBus, measuredStore } = await import('../metrics/index');
  const metrics = new Metrics();
  return { metrics, store: measuredStore(store, metrics), bus: measuredBus(bus, metrics) };
}

export interface RecordsOfConsoleDeps extends RecordsDeps {
  console: StartOptions['console'];
  hub: Hub;
  catalog: Catalog;
}

/** Starts the records of the console. A service without a console stores only the outcome of a call. */
export async function startRecords({ console, ...deps }: RecordsOfConsoleDeps): Promise<Records | undefined> {
  if (!console) return undefined;
  const { openRecords } = await import('../records/open-records');
  const records = await openRecords(deps);
  deps.hub.replicas.onChange((toolkitId) => records.toolkitChanged(toolkitId));
  deps.catalog.onChange(() => records.changedHere('toolkits'));
  return records;
}

export interface AttentionOfConsoleDeps extends Omit<OpenAttentionDeps, 'records'> {
  records: Records | undefined;
}

/** A service without a console has no counts to watch. */
export async function startAttention({ records, ...deps }: AttentionOfConsoleDeps): Promise<OpenedAttention | undefined> {
  if (!records) return undefined;
  const { openAttention } = await import('../attention/open-attention');
  return openAttention({ ...deps, records });
}

export interface ChosenEmbeddingsDeps extends EmbeddingsDeps {
  embeddings: StartOptions['embeddings'];
}

export async function startEmbeddings({ embeddings: settings, ...deps }: ChosenEmbeddingsDeps): Promise<Embeddings | undefined> {
  if (!settings) return undefined;
  const { Embeddings } = await import('../embeddings/embeddings');
  return new Embeddings(deps, settings);
}

export interface ChosenSettlementDeps extends Omit<SettlementDeps, 'settle'> {
  settlement: StartOptions['settlement'];
}

export async function startSettlement({ settlement: settings, ...deps }: ChosenSettlementDeps): Promise<Settlement | undefined> {
  if (!settings) return undefined;
  const { Settlement } = await import('../payments/settlement');
  return new Settlement({ ...deps, settle: settings.settle });
}
