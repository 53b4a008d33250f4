import { type Kysely, sql } from 'kysely';
import type { AlertDelivery, AlertQuery, AlertRecord, AlertStore, FoundAlert, TargetState } from '../alert-store';
import type { DatabaseClock } from './connections';
import type { AlertRow, Atomically, Tables } from './tables';

const TURN = 1;

export class SqlAlerts implements AlertStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;
  readonly #now: DatabaseClock;

  constructor(db: Kysely<Tables>, atomically: Atomically, now: DatabaseClock) {
    this.#db = db;
    this.#atomically = atomically;
    this.#now = now;
  }

  async takeTurn(everyMs: number): Promise<boolean> {
    const taken = await this.#db
      .insertInto('alert_turns')
      .values({ id: TURN, next_at: this.#in(everyMs) })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => ({ next_at: ref('excluded.next_at') }))
          .where('alert_turns.next_at', '<=', this.#now()),
      )
      .returning('id')
      .executeTakeFirst();
    return taken !== undefined;
  }

  async list({ state, visible, limit }: AlertQuery): Promise<AlertRecord[]> {
    const all = this.#db.selectFrom('alerts').selectAll();
    const some = state === 'open' ? all.where('ended_at', 'is', null) : all.where('ended_at', 'is not', null);
    const seen = visible
      ? some.where(({ eb, or }) => or([eb('toolkit_id', 'in', filled(visible.toolkitIds)), eb('key_id', 'in', filled(visible.keyIds))]))
      : some;
    return (await seen.orderBy('id', 'desc').limit(limit).execute()).map(toRecord);
  }

  async begin(id: string, alert: FoundAlert, targets: readonly string[]): Promise<void> {
    const { kind, subject, severity, text, link } = alert;
    const places = { toolkit_id: alert.toolkitId ?? null, key_id: alert.keyId ?? null };
    await this.#atomically([
      this.#db
        .insertInto('alerts')
        .values({ id, kind, subject, severity, text, link, ...places, since: this.#now(), ended_at: null })
        .onConflict((conflict) => conflict.doNothing()),
      // Nothing is added while another alert of this subject is open: the row is not there then.
      ...targets.map((target) =>
        this.#db
          .insertInto('alert_deliveries')
          .columns(['alert_id', 'target', 'event', 'due_at', 'tries'])
          .expression((eb) =>
            eb
              .selectFrom('alerts')
              .select(['id', sql<string>`${target}`.as('target'), sql<string>`'begun'`.as('event')])
              .select([this.#now().as('due_at'), sql<number>`0`.as('tries')])
              .where('id', '=', id),
          ),
      ),
    ]);
  }

  async change(id: string, { severity, text, link }: Pick<FoundAlert, 'severity' | 'text' | 'link'>): Promise<void> {
    await this.#db.updateTable('alerts').set({ severity, text, link }).where('id', '=', id).execute();
  }

  async end(id: string): Promise<void> {
    await this.#atomically([
      this.#db.updateTable('alerts').set({ ended_at: this.#now() }).where('id', '=', id).where('ended_at', 'is', null),
      this.#db
        .insertInto('alert_deliveries')
        .columns(['alert_id', 'target', 'event', 'due_at', 'tries'])
        .expression((eb) =>
          eb
            .selectFrom('alert_deliveries')
            .select(['alert_id', 'target', sql<string>`'ended'`.as('event')])
            .select([this.#now().as('due_at'), sql<number>`0`.as('tries')])
            .where('alert_id', '=', id)
            .where('event', '=', 'begun'),
        )
        .onConflict((conflict) => conflict.doNothing()),
    ]);
  }

  async mute(id: string): Promise<void> {
    await this.#atomically([
      this.#db.updateTable('alerts').set({ ended_at: this.#now() }).where('id', '=', id).where('ended_at', 'is', null),
      this.#db.deleteFrom('alert_deliveries').where('alert_id', '=', id).where('due_at', 'is not', null),
    ]);
  }

  async hasMessages(): Promise<boolean> {
    return (await this.#due().limit(1).executeTakeFirst()) !== undefined;
  }

  async claimMessages(limit: number, leaseMs: number): Promise<AlertDelivery[]> {
    const due = await this.#due().orderBy('due_at').orderBy('alert_id').limit(limit).execute();
    const claimed: AlertDelivery[] = [];
    for (const { alert_id, target, event } of due) {
      const row = await this.#db
        .updateTable('alert_deliveries')
        .set(({ eb }) => ({ due_at: this.#in(leaseMs), tries: eb('tries', '+', 1) }))
        .where('alert_id', '=', alert_id)
        .where('target', '=', target)
        .where('event', '=', event)
        // Another node may have claimed it meanwhile.
        .where('due_at', '<=', this.#now())
        .returning('tries')
        .executeTakeFirst();
      const alert = row && (await this.#db.selectFrom('alerts').selectAll().where('id', '=', alert_id).executeTakeFirst());
      if (row && alert) claimed.push({ alert: toRecord(alert), target, event, tries: Number(row.tries) });
    }
    return claimed;
  }

  async messageSent(message: AlertDelivery): Promise<void> {
    await this.#message(message).set({ due_at: null, sent_at: this.#now(), error: null, failed_at: null }).execute();
  }

  async messageFailed(message: AlertDelivery, { error, againMs }: { error: string; againMs: number }): Promise<void> {
    await this.#message(message)
      .set({ due_at: this.#in(againMs), error, failed_at: this.#now() })
      .execute();
  }

  async targetStates(): Promise<TargetState[]> {
    const sums = await this.#db
      .selectFrom('alert_deliveries')
      .select(({ fn }) => ['target', fn.count('due_at').as('waiting'), fn.max('sent_at').as('last_sent_at')])
      .groupBy('target')
      .orderBy('target')
      .execute();
    const failing = await this.#db
      .selectFrom('alert_deliveries')
      .select(['target', 'error', 'failed_at', 'tries'])
      .where('due_at', 'is not', null)
      .where('error', 'is not', null)
      .orderBy('alert_id', 'desc')
      .execute();
    const oldest = new Map(failing.map((row) => [row.target, row]));
    return sums.map(({ target, waiting, last_sent_at }) => {
      const failure = oldest.get(target);
      return {
        target,
        waiting: Number(waiting),
        lastSentAt: last_sent_at === null ? null : Number(last_sent_at),
        failing: failure ? { error: failure.error ?? '', at: Number(failure.failed_at), tries: Number(failure.tries) } : null,
      };
    });
  }

  async removeTarget(target: string): Promise<void> {
    await this.#db.deleteFrom('alert_deliveries').where('target', '=', target).execute();
  }

  async prune(before: number): Promise<void> {
    const old = this.#db.selectFrom('alerts').select('id').where('ended_at', '<', before);
    await this.#atomically([
      this.#db.deleteFrom('alert_deliveries').where('alert_id', 'in', old),
      this.#db.deleteFrom('alerts').where('ended_at', '<', before),
    ]);
  }

  #due() {
    return this.#db
      .selectFrom('alert_deliveries as due')
      .select(['due.alert_id', 'due.target', 'due.event'])
      .where('due.due_at', '<=', this.#now())
      .where(({ not, exists, selectFrom, lit }) =>
        not(
          exists(
            selectFrom('alert_deliveries as first')
              .select(lit(1).as('one'))
              .where('due.event', '=', 'ended')
              .where('first.event', '=', 'begun')
              .whereRef('first.alert_id', '=', 'due.alert_id')
              .whereRef('first.target', '=', 'due.target')
              .where('first.due_at', 'is not', null),
          ),
        ),
      );
  }

  #message({ alert, target, event }: AlertDelivery) {
    return this.#db
      .updateTable('alert_deliveries')
      .where('alert_id', '=', alert.id)
      .where('target', '=', target)
      .where('event', '=', event);
  }

  #in(forMs: number) {
    return sql<number>`${this.#now()} + ${sql.lit(Math.round(forMs))}`;
  }
}

/** PostgreSQL rejects an empty list, and no id is empty. */
function filled(ids: readonly string[]): readonly string[] {
  return ids.length > 0 ? ids : [''];
}

function toRecord(row: AlertRow): AlertRecord {
  const { id, kind, subject, severity, text, link } = row;
  return {
    ...{ id, subject, text, link, kind: kind as AlertRecord['kind'], severity: severity as AlertRecord['severity'] },
    ...{ toolkitId: row.toolkit_id, keyId: row.key_id, since: Number(row.since) },
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
  };
}
