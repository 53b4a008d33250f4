/** Words for the accounts that toolkits ask for, and for their owners. */
import type { ConnectionInfo } from '#sdk/protocol/admin';
import type { ConnectionSource, ToolkitAuth } from '#sdk/protocol/connections';

export const SOURCE_WORDS: Record<ConnectionSource, string> = {
  caller: 'The caller sends a credential with each call. The service stores none.',
  user: 'Each user connects their own account.',
  agent: 'Each agent key acts with its own account, which the owner of the key connects.',
  everyone: 'All calls act with the same account, which an owner of the toolkit connects.',
};

/** `API key in the header X-API-Key` */
export function authTypeWords({ type, in: place = 'header', name = 'X-API-Key' }: ToolkitAuth): string {
  switch (type) {
    case 'oauth2':
      return 'OAuth 2.0';
    case 'bearer':
      return 'Token (bearer)';
    case 'basic':
      return 'User name and password';
    case 'apiKey':
      return `API key in the ${place === 'query' ? 'query parameter' : 'header'} ${name}`;
  }
}

/** `u_81 of shop-bot`; the rest is hidden from people of the toolkit alone. */
export function connectionOwnerWords(owner: ConnectionInfo['owner']): string {
  switch (owner.kind) {
    case 'everyone':
      return 'Everyone';
    case 'agent':
      return owner.key ? `Agent key ${owner.key.name}` : 'An agent key';
    case 'user':
      return owner.user === undefined ? 'A user of an app' : `${owner.user}${owner.key ? ` of ${owner.key.name}` : ''}`;
    case 'person':
      return owner.person?.name ?? 'A person of this service';
  }
}

/** `octocat`; the name of the connection where the provider names no account. */
export const accountWords = ({ account, name }: Pick<ConnectionInfo, 'account' | 'name'>): string => account ?? name;
