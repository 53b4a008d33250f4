import type { AlertCheck } from '../alert-check';
import { timeText } from '../words';

export const nodeSilent: AlertCheck = {
  kind: 'node-silent',
  async check(context) {
    const silentMs = Math.max(10_000, context.rule('node-silent').threshold * 60_000);
    return (await context.silentNodes(silentMs)).map(({ id, seenAt }) => {
      const text = `Node ${id} is silent since ${timeText(seenAt)}, and did not end by itself`;
      return { kind: 'node-silent', subject: id, severity: 'critical', text, link: '/system' };
    });
  },
};
