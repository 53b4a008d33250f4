/**
 * Seals texts with the secrets keys. A database without them has a secret of its own, which a copy of the database includes: it keeps texts out of
 * logs and exports, and no more.
 */
import { SecretKeys } from '../connections/secret-keys';
import type { SecretKeysSource } from '../connections/secret-keys-source';
import type { KeptTexts } from '../lib/kept-texts';
import { KEPT_TEXT_SECRET } from '../store/console-store';
import { sharedSecret } from '../store/shared-secret';
import type { Store } from '../store/store';

const PURPOSE = 'svc kept texts';
/** Id of the key that is made from the secret of the database. */
const SHARED = 'database';

export interface OpenKeptTextsDeps {
  store: Pick<Store, 'settings'>;
  secretKeys: SecretKeysSource;
}

export async function openKeptTexts({ store, secretKeys }: OpenKeptTextsDeps): Promise<KeptTexts> {
  if (!secretKeys.isDatabase) return lazy(() => secretKeys.open(PURPOSE) as SecretKeys);
  const secret = await sharedSecret(store.settings, KEPT_TEXT_SECRET);
  const shared = SecretKeys.read(`${SHARED}:${secret.toString('base64')}`, KEPT_TEXT_SECRET, PURPOSE);
  // Texts from before the operator set the keys still open.
  return secretKeys.open(PURPOSE)?.and(shared) ?? shared;
}

/** The first use makes a file beside a data directory. */
function lazy(open: () => KeptTexts): KeptTexts {
  return { seal: (text, place) => open().seal(text, place), open: (text, place) => open().open(text, place) };
}
