import type { AlertCheck } from '../alert-check';
import { longText, timeText } from '../words';

const HOUR_MS = 60 * 60 * 1_000;

export const backupOld: AlertCheck = {
  kind: 'backup-old',
  async check(context) {
    const ageMs = context.rule('backup-old').threshold * HOUR_MS;
    const last = await context.lastBackup();
    // The first size that was recorded is nearly as old as the data.
    const since = last ?? (context.backupsAreKnown ? (await context.storeSizes())[0]?.at : undefined);
    if (since === undefined || context.now - since < ageMs) return [];
    const text =
      last === undefined
        ? 'The data were never backed up: run svc-service backup'
        : `The last backup is ${longText(context.now - last)} old, of ${timeText(last)}: run svc-service backup`;
    return [{ kind: 'backup-old', subject: '', severity: 'warning', text, link: '/system' }];
  },
};
