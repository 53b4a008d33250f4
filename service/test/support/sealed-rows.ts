/** Rows of kept connections in the data of a running service. Their seal opens with no key. */

import type { NewConnection } from '../../src/store/connection-store';
import { locationOf } from '../../src/store/location';
import { openKeyStore } from '../../src/store/open-store';

let rows = 0;

export type SealedRow = Pick<NewConnection, 'toolkitId' | 'owner'> &
  Partial<NewConnection> & {
    /** The reason why it has ended. */
    fault?: string;
  };

/** Returns the id of the row. */
export async function addKeptRow(data: string, { fault, ...row }: SealedRow): Promise<string> {
  const store = await openKeyStore(locationOf(data), { create: false });
  try {
    rows += 1;
    const id = `con_${String(rows).padStart(6, '0')}`;
    const secret = {
      sealed: 'x',
      sealedBy: 'gone',
      expiresInMs: null,
      scopes: '',
      type: 'oauth2',
      account: '',
      createdBy: 'per_1',
    } as const;
    await store.connections.add({ ...secret, id, name: 'default', ...row });
    if (fault !== undefined) await store.connections.end(id, 1, fault);
    return id;
  } finally {
    await store.close();
  }
}
