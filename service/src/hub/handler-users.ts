/**
 * The end user of a call, as its handler gets it. docs/protocol.md section 6.
 *
 * Shape:  the user of an agent token as it is. A user that the agent names in a header: as it is for toolkits of the agent key's owner; for
 *         others `usr_` and 22 characters, an HMAC by a secret of the service, so that no two toolkits and no two agents can compare users.
 */
import { createHmac } from 'node:crypto';
import type { KeyRecord } from '../store/store';

export interface CallUser {
  /** The user of the call's agent token. */
  userId?: string;
  /** The user in the call's header, and the owner of its agent key. */
  namedUser?: { id: string; ownerId: string | null };
}

/** The toolkit key of a socket. */
export type ToolkitOwner = Pick<KeyRecord, 'ownerId'> & { keyId: string; toolkitId: string; keyHash?: string };

const HMAC_BYTES = 16;

export class HandlerUsers {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** Undefined for a call without a user. */
  idOf({ agentId, userId, namedUser }: CallUser & { agentId: string }, { toolkitId, ownerId }: ToolkitOwner): string | undefined {
    if (!namedUser || namedUser.ownerId === ownerId) return namedUser?.id ?? userId;
    const text = JSON.stringify([agentId, toolkitId, namedUser.id]);
    return `usr_${createHmac('sha256', this.#secret).update(text).digest().subarray(0, HMAC_BYTES).toString('base64url')}`;
  }
}
