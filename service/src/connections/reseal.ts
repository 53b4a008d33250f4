/** Seals stored secrets with the first of the secrets keys, so that the others can be given up. */
import type { SealedSecret } from '../store/connection-store';
import type { SecretKeys } from './secret-keys';
import type { StoredConnections } from './stored-connections';

export interface Resealed {
  resealed: number;
  /** Secrets that no key opens: connections whose users connect again, and clients that are set again. */
  unreadable: number;
}

interface SealedItem {
  secret: SealedSecret;
  /** As it was sealed for. */
  place: readonly string[];
  /** False when the secret has changed: that change was sealed with the first key. */
  replace(seal: SealedSecret): Promise<boolean>;
}

const PAGE = 100;

export async function resealConnections({ store, keys, placeOf }: StoredConnections): Promise<Resealed> {
  let done: Resealed = { resealed: 0, unreadable: 0 };
  for (let after = ''; ; ) {
    const page = await store.sealedByOthers(keys.id, { after, limit: PAGE });
    const items = page.map((row): SealedItem => {
      return { secret: row, place: placeOf(row), replace: (seal) => store.reseal(row.id, row.version, seal) };
    });
    done = sumOf([done, await resealItems(items, keys)]);
    const last = page.at(-1);
    if (!last) return done;
    after = last.id;
  }
}

export async function resealItems(items: readonly SealedItem[], keys: SecretKeys): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (const { secret, place, replace } of items) {
    const text = keys.open(secret, place);
    if (text === undefined) done.unreadable++;
    else if (await replace(keys.seal(text, place))) done.resealed++;
  }
  return done;
}

export function sumOf(parts: readonly Resealed[]): Resealed {
  const sum = (name: keyof Resealed) => parts.reduce((total, part) => total + part[name], 0);
  return { resealed: sum('resealed'), unreadable: sum('unreadable') };
}
