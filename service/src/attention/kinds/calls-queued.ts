import type { AlertCheck } from '../alert-check';
import { counted } from '../words';

export const callsQueued: AlertCheck = {
  kind: 'calls-queued',
  async check(context) {
    const queued = await context.queuedCalls();
    if (queued < context.rule('calls-queued').threshold) return [];
    const text = `${counted(queued, 'call')} wait for a free process: connect more processes of the busy toolkits`;
    return [{ kind: 'calls-queued', subject: '', severity: 'warning', text, link: '/system' }];
  },
};
