/** A key expires soon, or expired lately. A key that was made for a shorter time than the threshold is left out: its end is expected. */
import { DAY_MS } from '../../lib/utc-day';
import type { AlertCheck } from '../alert-check';
import { keyLink } from '../links';
import { timeText } from '../words';

export const keyExpiry: AlertCheck = {
  kind: 'key-expiry',
  async check(context) {
    const spanMs = context.rule('key-expiry').threshold * DAY_MS;
    return (await context.keys()).flatMap(({ id, name, createdAt, expiresAt }) => {
      if (expiresAt === null || expiresAt - createdAt <= spanMs || Math.abs(expiresAt - context.now) > spanMs) return [];
      const isOver = expiresAt <= context.now;
      const text = `Key "${name}" ${isOver ? 'expired' : 'expires'} at ${timeText(expiresAt)}`;
      return [{ kind: 'key-expiry', subject: id, severity: isOver ? 'critical' : 'warning', text, link: keyLink(id), keyId: id }];
    });
  },
};
