/** A toolkit that was online before has no process. A toolkit that was away for a week when the service looks first is not news. */
import { DAY_MS } from '../../lib/utc-day';
import type { AlertCheck } from '../alert-check';
import { toolkitLink } from '../links';
import { timeText } from '../words';

const NEWS_MS = 7 * DAY_MS;

export const toolkitOffline: AlertCheck = {
  kind: 'toolkit-offline',
  async check(context) {
    const awayMs = context.rule('toolkit-offline').threshold * 60_000;
    // Toolkits need a moment to connect again after a restart of the service.
    if (context.now - context.startedAt < awayMs) return [];
    const lastSeen = await context.lastSeen();
    return context.toolkits().flatMap(({ id, name, isOnline }) => {
      const seenAt = lastSeen.get(id);
      if (isOnline || seenAt === undefined || context.now - seenAt < awayMs) return [];
      if (context.now - seenAt > NEWS_MS && !context.isOpen('toolkit-offline', id)) return [];
      const text = `Toolkit "${name}" is offline since ${timeText(seenAt)}`;
      return [{ kind: 'toolkit-offline', subject: id, severity: 'critical', text, link: toolkitLink(id), toolkitId: id }];
    });
  },
};
