/**
 * Session tokens are stored as their SHA-256: a reader of the database cannot use them. This adapter hashes tokens on the way to the table,
 * so better-auth works with the tokens of cookies.
 *
 * Source: OWASP's Session Management Cheat Sheet. A token has 190 bits of entropy, so a fast hash without salt is enough.
 */
import { createHash } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function withHashedSessions(adapter: DBAdapter): DBAdapter {
  return {
    ...hashing(adapter),
    transaction: (callback) => adapter.transaction((inTransaction) => callback(hashing(inTransaction))),
  };
}

function hashing<Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter {
  return {
    ...adapter,
    create: async (query) => {
      if (query.model !== 'session') return adapter.create(query);
      const { token } = query.data as unknown as { token: string };
      const stored: object = await adapter.create({ ...query, data: { ...query.data, token: hashSessionToken(token) } });
      return { ...stored, token };
    },
    findOne: async (query) => withToken(await adapter.findOne(hashed(query)), query),
    findMany: (query) => adapter.findMany(hashed(query)),
    count: (query) => adapter.count(hashed(query)),
    update: async (query) => withToken(await adapter.update(hashed(query)), query),
    updateMany: (query) => adapter.updateMany(hashed(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
    consumeOne: async (query) => withToken(await adapter.consumeOne(hashed(query)), query),
    incrementOne: async (query) => withToken(await adapter.incrementOne(hashed(query)), query),
  } satisfies DBTransactionAdapter as Adapter;
}

function hashed<Query extends { model: string; where?: Where[] | undefined }>(query: Query): Query {
  return query.model === 'session' && query.where ? { ...query, where: query.where.map(hashedCondition) } : query;
}

function hashedCondition(condition: Where): Where {
  const { field, value } = condition;
  if (field !== 'token') return condition;
  return {
    ...condition,
    value: Array.isArray(value) ? value.map((token) => hashSessionToken(String(token))) : hashSessionToken(String(value)),
  };
}

/** The session that was found by its token has that token again: better-auth puts it into cookies. */
function withToken<Found>(found: Found, { model, where }: { model: string; where: Where[] }): Found {
  const token = where.find(({ field }) => field === 'token')?.value;
  return model === 'session' && found && typeof token === 'string' ? { ...found, token } : found;
}
