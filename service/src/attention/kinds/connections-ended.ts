import type { AlertCheck } from '../alert-check';
import { counted } from '../words';

export const connectionsEnded: AlertCheck = {
  kind: 'connections-ended',
  async check(context) {
    const names = new Map(context.toolkits().map(({ id, name }) => [id, name]));
    return (await context.endedConnections()).flatMap(({ toolkitId, connections }) => {
      const name = names.get(toolkitId);
      if (name === undefined) return [];
      const text = `${counted(connections, 'account')} of toolkit "${name}" must be connected again: the provider refuses the stored access`;
      return [{ kind: 'connections-ended', subject: toolkitId, severity: 'warning', text, link: '/connections', toolkitId }];
    });
  },
};
