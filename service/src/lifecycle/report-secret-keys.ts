/** Logs secrets keys that are missing, for the operator. A service without connections reads one empty table for it. */
import type { Catalog } from '../catalog/catalog';
import { SECRETS_KEY_VARIABLE, type SecretKeysSource } from '../connections/secret-keys-source';
import type { Hub } from '../hub/hub';
import type { Logger } from '../lib/logger';
import type { Store } from '../store/store';

export interface ReportSecretKeysDeps {
  store: Pick<Store, 'connections' | 'connect'>;
  secretKeys: SecretKeysSource;
  catalog: Pick<Catalog, 'toolkit'>;
  hub: Pick<Hub, 'instances'>;
  logger: Logger;
}

export function reportSecretKeys({ store, secretKeys, catalog, hub, logger }: ReportSecretKeysDeps): void {
  reportUnreadable(store, secretKeys, logger).catch((error: unknown) => logger.error({ error }, 'cannot check the secrets keys'));
  if (secretKeys.hasKeys) return;
  const reported = new Set<string>();
  hub.instances.onRegistered(({ toolkitId: toolkit }) => {
    const from = catalog.toolkit(toolkit)?.auth?.from;
    if (from === undefined || from === 'caller' || reported.has(toolkit)) return;
    reported.add(toolkit);
    logger.warn({ toolkit }, `a toolkit asks for kept connections, and none can be kept: set ${SECRETS_KEY_VARIABLE}`);
  });
}

async function reportUnreadable(
  store: Pick<Store, 'connections' | 'connect'>,
  secretKeys: SecretKeysSource,
  logger: Logger,
): Promise<void> {
  const counts = [...(await store.connections.sealCounts()), ...(await store.connect.sealCounts())];
  if (counts.length === 0) return;
  const keys = secretKeys.open();
  const unreadable = counts.filter(({ sealedBy }) => !keys?.has(sealedBy));
  if (unreadable.length === 0) return;
  const secrets = unreadable.reduce((sum, { count }) => sum + count, 0);
  logger.warn(
    { secrets, secretsKeys: [...new Set(unreadable.map(({ sealedBy }) => sealedBy))] },
    'stored connections cannot be read without these secrets keys: add the keys, or their users connect again',
  );
}
