/**
 * A page of the list of keys, in one of its orders.
 *
 * Shape: each order is one number or text per key, its rank. The cursor holds the rank and the id of the last key of the page before. Counts of
 *        calls change between pages, so a key may then be listed twice or not at all.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { REFUSALS } from '#sdk/protocol/admin';
import type { KeyListQuery } from '../key-list';
import type { KeyPage } from '../store';
import { containsWords } from './contains-words';
import { toKey } from './key-row';
import type { KeyRow, Tables } from './tables';

/** Later than any expiry, so that keys without one come last. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** More than any time, so that own keys come first and each group stays in the order of time. */
const OWN = 10 ** 14;

type Rank = RawBuilder<string | number>;

export async function listKeyPage(db: Kysely<Tables>, query: KeyListQuery): Promise<KeyPage> {
  const { sort, order, limit, after } = query;
  const filter = conditionOf(query);
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const beyond = order === 'asc' ? sql`>` : sql`<`;
  const later =
    after === undefined ? sql`1 = 1` : sql`(rank ${beyond} ${after.rank} or (rank = ${after.rank} and id ${beyond} ${after.id}))`;
  const { rank, joined } = rankOf(query);
  const page = sql<KeyRow & { rank: string | number }>`
    select * from (
      select keys.*, ${rank} as rank from keys left join people on people.id = keys.owner_id ${joined} where ${filter}
    ) as ranked
    where ${later} order by rank ${direction}, id ${direction} ${limit === undefined ? sql`` : sql`limit ${limit + 1}`}`;
  const count = sql<{ keys: number }>`select count(*) as keys from keys left join people on people.id = keys.owner_id where ${filter}`;
  const [{ rows }, counted] = await Promise.all([page.execute(db), count.execute(db)]);
  const shown = limit === undefined ? rows : rows.slice(0, limit);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    items: shown.map(toKey),
    total: Number(counted.rows[0]?.keys),
    ...(last && { next: { rank: sort === 'name' ? last.rank : Number(last.rank), id: last.id } }),
  };
}

function conditionOf({ ownerId, words = '', kind, state, now }: KeyListQuery): RawBuilder<SqlBool> {
  const text = sql<string>`(keys.name || ' ' || keys.id || ' ' || coalesce(keys.toolkit_id, '') || ' ' || coalesce(people.name, ''))`;
  const ended = sql`(expires_at is not null and expires_at <= ${now})`;
  const conditions = [
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(state === 'revoked' ? [sql`revoked_at is not null`] : []),
    ...(state === 'expired' ? [sql`revoked_at is null and ${ended}`] : []),
    ...(state === 'active' ? [sql`revoked_at is null and not ${ended}`] : []),
    ...(words.trim() === '' ? [] : [containsWords(text, words)]),
  ];
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

const NOT_JOINED = sql``;

function rankOf({ sort, order, now, day, connected, mine }: KeyListQuery): { rank: Rank; joined: RawBuilder<unknown> } {
  switch (sort) {
    case 'name':
      return { rank: sql`lower(keys.name)`, joined: NOT_JOINED };
    case 'created':
      return { rank: sql`keys.created_at`, joined: NOT_JOINED };
    case 'mine':
      return { rank: sql`keys.created_at + case when keys.owner_id = ${mine ?? ''} then ${sql.lit(OWN)} else 0 end`, joined: NOT_JOINED };
    case 'expiry':
      return { rank: sql`coalesce(keys.expires_at, ${sql.lit(order === 'asc' ? NEVER : -1)})`, joined: NOT_JOINED };
    case 'lastUsed': {
      // An object, because `json_each` of SQLite and of PostgreSQL both read it.
      const json = JSON.stringify(Object.fromEntries(connected.map((id) => [id, 1])));
      const last = sql`(select started_at from invocations where agent_key_id = keys.id order by invocations.id desc limit 1)`;
      return {
        rank: sql`case when connected.key is not null then ${sql.lit(now)} else coalesce(${last}, 0) end`,
        joined: sql`left join (select key from json_each(${json})) as connected on connected.key = keys.id`,
      };
    }
    default: {
      const counted = sort === 'calls' ? sql`1 = 1` : sql`code in (${sql.join(REFUSALS)})`;
      return {
        rank: sql`coalesce(counted.calls, 0)`,
        joined: sql`left join (
          select name, sum(calls) as calls from call_counts
          where dimension = 'key' and step = ${day.step} and start >= ${day.from} and start < ${day.to} and ${counted} group by name
        ) as counted on counted.name = keys.id`,
      };
    }
  }
}
