/** Wires the records together and writes them about once a second. */
import type { CallObserver } from '../calls/call-observer';
import type { Catalog } from '../catalog/catalog';
import type { Cluster } from '../cluster/cluster';
import type { Changed, ConsoleMessage } from '../cluster/message-schemas';
import type { ReplicaDirectory } from '../hub/replica-directory';
import type { Logger } from '../lib/logger';
import type { Searches } from '../searches/searches';
import { SessionSums } from '../sessions/session-sums';
import { SessionUsage } from '../sessions/session-usage';
import type { Store } from '../store/store';
import { CallTallies } from './call-tallies';
import { ChangeFeed } from './change-feed';
import { DetailsKeeper } from './details-keeper';
import type { Records } from './records';
import { Refusals } from './refusals';
import { applyRetention } from './retention';
import { SearchLog } from './search-log';
import { SessionLog } from './session-log';
import { SettingsKeeper } from './settings-keeper';
import { ToolkitSightings } from './toolkit-sightings';

export interface RecordsDeps {
  store: Pick<
    Store,
    | 'node'
    | 'invocations'
    | 'counts'
    | 'searches'
    | 'sessionRequests'
    | 'sessionSums'
    | 'ledger'
    | 'sightings'
    | 'listings'
    | 'oauth'
    | 'settings'
  >;
  cluster: Pick<Cluster, 'notifyConsoles' | 'onConsole'>;
  catalog: Pick<Catalog, 'action'>;
  hub: { replicas: Pick<ReplicaDirectory, 'toolkitIds' | 'count'> };
  searches: Pick<Searches, 'observe' | 'clear'>;
  logger: Logger;
}

const WRITE_MS = 1_000;
/** A message from another node may be lost. */
const REFRESH_MS = 5_000;
/** When the service stops, the database may be away for a moment. */
const LAST_TRIES = 5;
const LAST_TRY_MS = 200;

/** Rejects when the settings cannot be read. */
export async function openRecords({ store, cluster, catalog, hub, searches, logger }: RecordsDeps): Promise<Records> {
  const feed = new ChangeFeed((changed) => cluster.notifyConsoles({ kind: 'changed', changed }), logger);
  const failed = (what: string) => (error: unknown) => logger.error({ error }, what);

  const keeper = await SettingsKeeper.open({ store: store.settings, logger });
  const searchLog = new SearchLog({ store: store.searches, texts: keeper.settings.searchTexts });
  const sessions = new SessionLog({ store: store.sessionRequests, texts: keeper.settings.searchTexts });
  const sums = new SessionSums({ store: store.sessionSums, ledger: store.ledger });
  const usage = new SessionUsage({ store: store.sessionSums, texts: keeper.settings.searchTexts });
  keeper.onChange(async (now, before) => {
    feed.changedHere('settings');
    // Searches in memory were made under another setting.
    if (now.searchTexts !== before.searchTexts) searches.clear();
    await searchLog.change(now.searchTexts);
    await sessions.change(now.searchTexts);
    await usage.change(now.searchTexts);
    // Each node removes the content that it wrote before it knew of the change.
    if (now.content === 'off' && before.content !== 'off') await store.invocations.forgetContent();
  });
  searches.observe(searchLog);
  searches.observe(sessions);
  searches.observe(sums);
  const tallies = new CallTallies(store.counts);
  const refusals = new Refusals({ tallies, store: store.invocations, onListed: () => feed.changed('invocations') });
  const sightings = new ToolkitSightings({
    store: store.sightings,
    toolkitIds: () => hub.replicas.toolkitIds(),
    replicas: (toolkitId) => hub.replicas.count(toolkitId),
  });
  const details = new DetailsKeeper({
    node: store.node,
    store: store.invocations,
    sessions,
    sums,
    settings: () => keeper.settings,
    onCall: () => feed.changed('invocations'),
  });

  const refresh = () => keeper.refresh().catch(failed('cannot read the settings'));
  const onMessage = (message: ConsoleMessage) => {
    for (const what of message.changed) feed.changedHere(what);
    if (message.changed.includes('settings')) void refresh();
  };
  cluster.onConsole(onMessage);

  const callObserver: CallObserver = {
    callStarted: (call) => details.started(call),
    callEnded: (call, ended) => details.ended(call, ended),
    callRefused: (refused) => details.refused(refused),
    requestEnded({ key: { id: agentKeyId, origin }, accepted, askedAction: asked }, code, ms) {
      // Tries of people say nothing about how agents fare.
      if (origin !== undefined) return feed.changed('invocations');
      // A caller can invent ids: only existing actions count.
      const action = accepted?.actionId ?? (asked !== undefined && catalog.action(asked) ? asked : undefined);
      tallies.count({ agentKeyId, action, code, ms, at: Date.now() });
      // Too many calls at once: this request was not read either.
      if (code === 'RATE_LIMITED' && asked === undefined) refusals.list(agentKeyId, code);
    },
  };
  const countsWritten = () => {
    feed.changed('counts');
    // A page that read the calls when they ended may have read them before they were written.
    feed.changed('invocations');
  };
  // One after the other: both lock rows of the same sums.
  const writeSums = async () => {
    const hasSums = await sums.write();
    return (await usage.write()) || hasSums;
  };
  // Listeners read at once, so they are notified after the write.
  const write = () =>
    Promise.all([
      sessions.write().then((written) => written && feed.changed('invocations')),
      tallies.write().then((written) => written && countsWritten()),
      searchLog.write().then((written) => written && feed.changed('searches')),
      writeSums().then((written) => written && feed.changed('invocations')),
      sightings.write(),
    ]);
  const tick = () => {
    // Pages of running calls have new entries to show.
    if (details.writeLong()) feed.changed('invocations');
    write().catch(failed('cannot write counts of calls and searches; the next write includes them'));
  };
  const timers = [setInterval(tick, WRITE_MS).unref(), setInterval(refresh, REFRESH_MS).unref()];

  return {
    callObserver,
    refused: (agentKeyId, code) => refusals.refused(agentKeyId, code),
    toolkitChanged: (toolkitId) => {
      sightings.changed(toolkitId);
      feed.changed('toolkits');
    },
    recordSightings: () => sightings.recordAll(),
    sessions,
    usage,
    writeSums,
    get settings() {
      return keeper.settings;
    },
    changeSettings: async (change) => {
      const settings = await keeper.change(change);
      feed.changed('settings');
      return settings;
    },
    changed: (...what: Changed[]) => {
      for (const it of what) feed.changed(it);
    },
    changedHere: (...what: Changed[]) => {
      for (const it of what) feed.changedHere(it);
    },
    onChange: (listener) => feed.listen(listener),
    applyRetention: async () => {
      await keeper.refresh();
      await applyRetention(store, keeper.settings);
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      feed.close();
      await keeper.settled();
      details.writeAll();
      await retryLastWrite(write).catch(failed('counts of the last calls and searches are lost'));
    },
  };
}

async function retryLastWrite(work: () => Promise<unknown>): Promise<void> {
  for (let left = LAST_TRIES - 1; ; left--) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, LAST_TRY_MS));
    }
  }
}
