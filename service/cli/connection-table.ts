/** Formats connected accounts for people: one line each. */
import type { ConnectionInfo } from '#sdk/protocol/admin';

const HEAD = ['id', 'toolkit', 'for', 'account', 'state', 'used'];

export function connectionTable(connections: readonly ConnectionInfo[]): string[][] {
  return [
    HEAD,
    ...connections.map((connection) => {
      const { id, toolkit, account, name, lastUsedAt } = connection;
      return [id, toolkit, ownerText(connection), account ?? name, stateText(connection), lastUsedAt?.slice(0, 16) ?? 'never'];
    }),
  ];
}

/** An admin key sees all parts of an owner. */
function ownerText({ owner }: ConnectionInfo): string {
  switch (owner.kind) {
    case 'everyone':
      return 'everyone';
    case 'agent':
      return owner.key?.name ?? '';
    case 'user':
      return `${owner.user} of ${owner.key?.name}`;
    case 'person':
      return owner.person?.name ?? '';
  }
}

function stateText({ status, default: isDefault, fault }: ConnectionInfo): string {
  if (status === 'ended') return 'ended';
  if (fault) return 'failing';
  return isDefault ? 'default' : 'live';
}
