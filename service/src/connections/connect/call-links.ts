/** Links in the answers of calls that need a connection. */
import type { MakeLink } from '../kept-call-connections';
import { CALL_LINK_MS, type ConnectLinks } from './connect-links';
import type { PageAddress } from './page-address';

export function callLinks(links: ConnectLinks, address: PageAddress): MakeLink {
  return async ({ toolkit, owner, name, agentKeyId }) => {
    if (address.url === undefined) return undefined;
    return links.create({ owner, toolkits: [toolkit.id], name, createdBy: agentKeyId, forMs: CALL_LINK_MS });
  };
}
