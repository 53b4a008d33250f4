import type { AlertCheck } from '../alert-check';
import { toolkitLink } from '../links';
import { counted } from '../words';

export const actionsHeld: AlertCheck = {
  kind: 'actions-held',
  async check(context) {
    return context.toolkits().flatMap(({ id, name, held }) => {
      if (held === 0) return [];
      const text = `${counted(held, 'action')} of toolkit "${name}" cannot be called: an owner has to approve the texts`;
      return [{ kind: 'actions-held', subject: id, severity: 'warning', text, link: toolkitLink(id), toolkitId: id }];
    });
  },
};
