import type { AlertCheck } from '../alert-check';
import { counted, longText } from '../words';

export const approvalsWaiting: AlertCheck = {
  kind: 'approvals-waiting',
  async check(context) {
    const waitMs = context.rule('approvals-waiting').threshold * 60_000;
    const late = (await context.pendingApprovals()).filter(({ createdAt }) => context.now - createdAt >= waitMs);
    const names = new Map(late.length === 0 ? [] : (await context.keys()).map(({ id, name }) => [id, name]));
    return [...Map.groupBy(late, ({ agentKeyId }) => agentKeyId)].map(([keyId, some]) => {
      const oldest = Math.min(...some.map(({ createdAt }) => createdAt));
      const text = `${counted(some.length, 'call')} of key "${names.get(keyId) ?? keyId}" wait for a decision, the oldest for ${longText(context.now - oldest)}`;
      return { kind: 'approvals-waiting', subject: keyId, severity: 'warning', text, link: '/approvals', keyId };
    });
  },
};
