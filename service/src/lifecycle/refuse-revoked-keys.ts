import type { Calls } from '../calls/calls';
import type { Hub } from '../hub/hub';
import type { KeyRing } from '../keys/key-ring';
import type { Learning } from '../learning/index';
import type { Records } from '../records/records';

export interface RefuseRevokedKeysDeps {
  keys: KeyRing;
  hub: Hub;
  calls: Calls;
  learning: Learning;
  records: Records | undefined;
}

/** Ends the sockets and calls of a key that is revoked or expires, and the sockets of a former secret. Evidence from the calls of a revoked key is deleted. */
export function refuseRevokedKeys({ keys, hub, calls, learning, records }: RefuseRevokedKeysDeps): void {
  keys.onRevoked((keyId, code, formerHash) => {
    if (formerHash !== undefined) return hub.sockets.refuseSecret(formerHash, code);
    hub.sockets.refuseKey(keyId, code);
    calls.refuseKey(keyId, code);
    learning.keyEnded(keyId);
    records?.changed('keys');
  });
}
