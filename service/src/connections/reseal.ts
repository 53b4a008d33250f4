/** Seals the secrets of all connections with the first of the secrets keys, so that the others can be given up. */
import type { StoredConnections } from './stored-connections';

export interface Resealed {
  resealed: number;
  /** Connections that no key opens: their users connect them again. */
  unreadable: number;
}

const PAGE = 100;

export async function reseal(rows: StoredConnections): Promise<Resealed> {
  const { store, keys } = rows;
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (let after = ''; ; ) {
    const page = await store.sealedByOthers(keys.id, { after, limit: PAGE });
    for (const row of page) {
      const secret = rows.secretOf(row);
      if (!secret) done.unreadable++;
      // A secret that changes meanwhile is sealed with the first key by that change.
      else if (await store.reseal(row.id, row.version, rows.seal(row, secret))) done.resealed++;
    }
    const last = page.at(-1);
    if (!last) return done;
    after = last.id;
  }
}
