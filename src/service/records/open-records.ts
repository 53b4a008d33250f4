/** Puts together what is kept, and writes it about once a second. */
import type { Settings } from '../../protocol/admin';
import type { CallObserver } from '../calls/call-observer';
import type { Catalog } from '../catalog/catalog';
import type { Cluster } from '../cluster/cluster';
import type { Changed, ConsoleMessage } from '../cluster/messages';
import type { ReplicaDirectory } from '../hub/replica-directory';
import type { Logger } from '../lib/logger';
import type { Searches } from '../searches/searches';
import type { Store } from '../store/store';
import { CallTallies } from './call-tallies';
import { ChangeFeed } from './change-feed';
import { DetailsKeeper } from './details-keeper';
import { forgetOld } from './forget-old';
import type { Records } from './records';
import { Refusals } from './refusals';
import { SearchLog } from './search-log';
import { SettingsKeeper } from './settings-keeper';
import { ToolkitSightings } from './toolkit-sightings';

export interface RecordsDeps {
  store: Pick<Store, 'node' | 'invocations' | 'counts' | 'searches' | 'sightings' | 'settings'>;
  cluster: Pick<Cluster, 'tellConsoles' | 'onConsole'>;
  catalog: Pick<Catalog, 'action'>;
  hub: { replicas: Pick<ReplicaDirectory, 'toolkitIds' | 'count'> };
  searches: Pick<Searches, 'follow' | 'clear' | 'calledWithoutId'>;
  logger: Logger;
}

const WRITE_MS = 1_000;
/** A message of another node may be lost. */
const REFRESH_MS = 5_000;
/** At the end the database may be away for a moment. */
const LAST_TRIES = 5;
const LAST_TRY_MS = 200;

/** Rejects when the settings cannot be read. */
export async function openRecords({ store, cluster, catalog, hub, searches, logger }: RecordsDeps): Promise<Records> {
  const feed = new ChangeFeed((changed) => cluster.tellConsoles({ kind: 'changed', changed }), logger);
  const failed = (what: string) => (error: unknown) => logger.error({ error }, what);

  const follow = async (now: Settings, before: Settings) => {
    feed.heard('settings');
    // What is in memory was searched under another setting, and goes.
    if (now.searchTexts !== before.searchTexts) searches.clear();
    await searchLog.change(now.searchTexts);
    // Each node forgets what it has written until it heard.
    if (now.content === 'off' && before.content !== 'off') await store.invocations.forgetContent();
  };
  const keeper = await SettingsKeeper.open({ store: store.settings, onChange: follow, logger });
  const searchLog = new SearchLog({ store: store.searches, texts: keeper.settings.searchTexts });
  searches.follow(searchLog);
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
    settings: () => keeper.settings,
    onCall: () => feed.changed('invocations'),
  });

  const refresh = () => keeper.refresh().catch(failed('cannot read the settings'));
  const hear = (message: ConsoleMessage) => {
    for (const what of message.changed) feed.heard(what);
    if (message.changed.includes('settings')) void refresh();
  };
  cluster.onConsole(hear);

  const callObserver: CallObserver = {
    callStarted: (call) => details.started(call),
    callEnded: (call, ended) => details.ended(call, ended),
    callRefused: (refused) => details.refused(refused),
    requestEnded({ key: { id: agentKeyId }, searchId, accepted, askedAction: asked }, code, ms) {
      // Anybody can make up ids: those that there are count.
      const action = accepted?.actionId ?? (asked !== undefined && catalog.action(asked) ? asked : undefined);
      tallies.count({ agentKeyId, action, code, ms, at: Date.now() });
      // Too many at once: it was not read either.
      if (code === 'RATE_LIMITED' && asked === undefined) refusals.list(agentKeyId, code);
      if (code === 'OK' && action !== undefined && searchId === undefined) searches.calledWithoutId(agentKeyId, action);
    },
  };
  const tellCounted = () => {
    feed.changed('counts');
    // They were told of while they were being written: whoever looked at once may have come too soon.
    feed.changed('invocations');
  };
  // Whoever is told must find it: said only when it can be read.
  const write = () =>
    Promise.all([
      tallies.write().then((written) => written && tellCounted()),
      searchLog.write().then((written) => written && feed.changed('searches')),
      sightings.write(),
    ]);
  const tick = () => {
    // Who looks at a call that runs is told that there is more to see.
    if (details.writeLong()) feed.changed('invocations');
    write().catch(failed('cannot write what is counted and seen; it is tried again'));
  };
  const timers = [setInterval(tick, WRITE_MS).unref(), setInterval(refresh, REFRESH_MS).unref()];

  return {
    callObserver,
    refused: (agentKeyId, code) => refusals.refused(agentKeyId, code),
    toolkitChanged: (toolkitId) => {
      sightings.changed(toolkitId);
      feed.changed('toolkits');
    },
    beforeToolkitsLeave: () => sightings.lookAtAll(),
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
    heardOfChange: (...what: Changed[]) => {
      for (const it of what) feed.heard(it);
    },
    onChange: (listener) => feed.listen(listener),
    forgetOld: async () => {
      await keeper.refresh();
      await forgetOld(store, keeper.settings);
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      feed.close();
      await keeper.settled();
      details.writeAll();
      await atLast(write).catch(failed('counts of the last calls and searches are lost'));
    },
  };
}

async function atLast(work: () => Promise<unknown>): Promise<void> {
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
