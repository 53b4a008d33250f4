import { ADMIN_PATHS, type Settings } from '../../../src/protocol/admin';
import { request } from './request';

/** From now on the texts of searches that found nothing, or nothing that was used. Owners only. */
export async function keepUnmetSearchTexts(): Promise<void> {
  await request(ADMIN_PATHS.settings, { method: 'PATCH', body: { searchTexts: 'unmet' } satisfies Partial<Settings> });
}
