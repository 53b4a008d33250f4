/** A store of connections that sends each end of one to the webhook of its app. */
import type { ConnectionStore } from '../../store/connection-store';
import type { AppWebhooks } from './app-webhooks';

export function announcedConnections(store: ConnectionStore, webhooks: Pick<AppWebhooks, 'changed'>): ConnectionStore {
  const announced: Pick<ConnectionStore, 'end' | 'remove'> = {
    async end(id, version, fault) {
      const isEnded = await store.end(id, version, fault);
      const row = isEnded ? await store.find(id) : undefined;
      if (row) webhooks.changed(row, 'ended');
      return isEnded;
    },
    async remove(id) {
      const row = await store.remove(id);
      if (row) webhooks.changed(row, 'removed');
      return row;
    },
  };
  return new Proxy(store, {
    get(target, name: keyof ConnectionStore) {
      if (name === 'end' || name === 'remove') return announced[name];
      return target[name].bind(target);
    },
  });
}
