/** A service with a toolkit whose calls act with the accounts of their users, and people who connect them. */

import type { ToolkitAuth } from '../../src/protocol/connections';
import { connectAccount } from '../world/connect-page';
import { startService, type TestService } from './service';

/**
 * @param service the toolkit's; default: a new one
 * @param from the owner of the accounts
 */
export async function startConnectable<Service extends TestService = TestService>(service?: Service, from: ToolkitAuth['from'] = 'user') {
  const used = service ?? ((await startService()) as Service);
  /** The tokens with which the action ran. */
  const ran: unknown[] = [];
  await used.toolkit('github', (toolkit) => {
    void toolkit.updateToolkit({ auth: { type: 'bearer', from, help: 'A GitHub token' } });
    toolkit.action({ action: 'whoami', actionDescription: 'Names the account of the user' }, ({ connection }) => {
      ran.push(connection?.token);
      return 'octocat';
    });
  });
  return { service: used, ran, connect: connectAccount };
}
