/** The stored connections, and their secrets. */
import { randomBytes } from 'node:crypto';
import { SvcError } from '#sdk/protocol/errors';
import type { ConnectionRecord, ConnectionStore, SealedSecret } from '../store/connection-store';
import type { KeptSecret } from './kept-secret';
import type { SecretKeys } from './secret-keys';

/** Milliseconds since the epoch in base 36: nine digits until the year 5188. */
const TIME_DIGITS = 9;
/** Two people who connect the same name at once: one waits for the other. */
const MAX_TRIES = 5;

export interface AccountToKeep {
  toolkitId: string;
  /** As `ConnectionRecord` has it. */
  owner: string;
  /** A name that the owner has already is connected again. */
  name: string;
  secret: KeptSecret;
  account: string;
  scopes: string;
  /** Undefined: unknown. */
  expiresInMs: number | undefined;
  createdBy: string;
}

type RowPlace = Pick<ConnectionRecord, 'id' | 'toolkitId' | 'owner'>;

export class StoredConnections {
  readonly store: ConnectionStore;
  readonly keys: SecretKeys;

  constructor(store: ConnectionStore, keys: SecretKeys) {
    this.store = store;
    this.keys = keys;
  }

  /** Stores a new connection, or the new secret of one with the same name. */
  async keep({ toolkitId, owner, name, secret, account, scopes, expiresInMs, createdBy }: AccountToKeep): Promise<ConnectionRecord> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const before = (await this.store.ofOwner(toolkitId, owner)).find((each) => each.name === name);
      const place = { id: before?.id ?? newId(), toolkitId, owner };
      const kept = { ...this.seal(place, secret), type: secret.type, account, scopes, expiresInMs: expiresInMs ?? null, createdBy };
      const isStored = before
        ? await this.store.replace(before.id, before.version, kept)
        : await this.store.add({ ...kept, ...place, name });
      const stored = isStored ? await this.store.find(place.id) : undefined;
      if (stored) return stored;
    }
    throw new SvcError('CONFLICT', `The connection "${name}" of toolkit "${toolkitId}" is being changed: connect it again`);
  }

  /** Undefined for a secret that no key of this service opens. */
  secretOf(row: ConnectionRecord): KeptSecret | undefined {
    const text = this.keys.open(row, this.placeOf(row));
    return text === undefined ? undefined : (JSON.parse(text) as KeptSecret);
  }

  seal(row: RowPlace, secret: KeptSecret): SealedSecret {
    return this.keys.seal(JSON.stringify(secret), this.placeOf(row));
  }

  /** A secret that is copied to another row does not open there. */
  placeOf({ id, toolkitId, owner }: RowPlace): string[] {
    return [id, toolkitId, owner];
  }
}

function newId(): string {
  return `con_${Date.now().toString(36).padStart(TIME_DIGITS, '0')}${randomBytes(8).toString('hex')}`;
}
