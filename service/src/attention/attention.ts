/**
 * The faults of the service. One of the nodes checks for them each minute, by the database's clock, and keeps each alert as a row from its begin to its end.
 *
 * Errors: a kind whose readings fail keeps its alerts as they are, and is logged.
 */
import { isMuteOver } from '#sdk/protocol/alerts';
import type { Logger } from '../lib/logger';
import { Mutex } from '../lib/mutex';
import { DAY_MS } from '../lib/utc-day';
import type { Records } from '../records/records';
import type { AlertRecord, AlertStore, FoundAlert } from '../store/alert-store';
import type { SystemStore } from '../store/system-store';
import type { AlertCheck } from './alert-check';
import { ALERT_CHECKS } from './alert-checks';
import type { AlertContext } from './alert-context';
import { newAlertId } from './alert-id';
import type { AlertTargets } from './delivery/alert-targets';
import { type Moment, nameOf } from './readings';

const EVERY_MS = 60_000;
/** More than the alerts of a service where every toolkit is offline. */
const MAX_OPEN = 10_000;
/** Alerts that ended are kept so long. */
const KEPT_MS = 30 * DAY_MS;

export interface AttentionDeps {
  store: { alerts: AlertStore; system: Pick<SystemStore, 'now' | 'bytes' | 'recordSize'> };
  read: (moment: Moment) => AlertContext;
  targets: Pick<AlertTargets, 'list'>;
  records: Pick<Records, 'settings' | 'changeSettings' | 'changed'>;
  logger: Logger;
  checks?: readonly AlertCheck[];
}

export class Attention {
  readonly #deps: AttentionDeps;
  /** A check that an owner asks for waits for the one under way. */
  readonly #checking = new Mutex();
  #startedAt: number | undefined;

  constructor(deps: AttentionDeps) {
    this.#deps = deps;
  }

  /** Checks, if it is this node's turn. */
  async run(): Promise<void> {
    this.#startedAt ??= await this.#deps.store.system.now();
    if (await this.#deps.store.alerts.takeTurn(EVERY_MS)) await this.check();
  }

  /** Checks at once. */
  check(): Promise<void> {
    return this.#checking.run(() => this.#check());
  }

  async #check(): Promise<void> {
    const { store, read, records, targets } = this.#deps;
    await store.system.recordSize(await store.system.bytes());
    const now = await store.system.now();
    this.#startedAt ??= now;
    const { alertRules: rules, alertMutes } = records.settings;
    const open = await store.alerts.list({ state: 'open', limit: MAX_OPEN });
    const context = read({ now, startedAt: this.#startedAt, rules, open });
    const targetIds = (await targets.list()).map(({ id }) => id);
    let changed = false;
    let mutes = alertMutes.filter((mute) => !isMuteOver(mute, now));
    for (const check of this.#deps.checks ?? ALERT_CHECKS) {
      const isOn = rules[check.kind]?.on ?? true;
      const found = isOn ? await this.#found(check, context) : [];
      if (!found) continue;
      const foundNames = new Set(found.map(nameOf));
      mutes = mutes.filter((mute) => mute.kind !== check.kind || mute.until !== undefined || foundNames.has(nameOf(mute)));
      const muted = new Set(mutes.map(nameOf));
      const [quiet, before] = split(
        open.filter(({ kind }) => kind === check.kind),
        (alert) => muted.has(nameOf(alert)),
      );
      for (const { id } of quiet) await store.alerts.mute(id);
      const isChanged = await this.#apply(
        found.filter((alert) => !muted.has(nameOf(alert))),
        before,
        targetIds,
      );
      if (isChanged || quiet.length > 0) changed = true;
    }
    if (mutes.length < alertMutes.length) await records.changeSettings({ alertMutes: mutes });
    await store.alerts.prune(now - KEPT_MS);
    if (changed) records.changed('alerts');
  }

  async #found(check: AlertCheck, context: AlertContext): Promise<FoundAlert[] | undefined> {
    try {
      return await check.check(context);
    } catch (error) {
      this.#deps.logger.error({ error, kind: check.kind }, 'cannot check for alerts of a kind');
      return undefined;
    }
  }

  /** Returns whether anything changed. */
  async #apply(found: readonly FoundAlert[], open: readonly AlertRecord[], targets: readonly string[]): Promise<boolean> {
    const { alerts } = this.#deps.store;
    const before = new Map(open.map((alert) => [nameOf(alert), alert]));
    let changed = false;
    for (const alert of found) {
      const name = nameOf(alert);
      const known = before.get(name);
      before.delete(name);
      if (known && !differs(known, alert)) continue;
      changed = true;
      if (known) await alerts.change(known.id, alert);
      // A target that is down gets no message that it is down.
      else await alerts.begin(newAlertId(), alert, alert.kind === 'target-down' ? targets.filter((id) => id !== alert.subject) : targets);
    }
    for (const { id } of before.values()) await alerts.end(id);
    return changed || before.size > 0;
  }
}

function differs(known: AlertRecord, { severity, text, link }: FoundAlert): boolean {
  return known.severity !== severity || known.text !== text || known.link !== link;
}

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
