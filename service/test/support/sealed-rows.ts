/** Rows of kept connections in the data of a running service. Their seal opens with no key. */

import type { NewConnection } from '../../src/store/connection-store';
import { locationOf } from '../../src/store/location';
import { openKeyStore } from '../../src/store/open-store';

let rows = 0;

/** Returns the id of the row. */
export async function addKeptRow(data: string, row: Pick<NewConnection, 'toolkitId' | 'owner'> & Partial<NewConnection>): Promise<string> {
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
    return id;
  } finally {
    await store.close();
  }
}
