/** The console of a large marketplace, one for a file of tests: `beforeAll` opens it, and each test signs in as its owner. */
import type { BrowserContextOptions } from 'playwright-core';
import { createService, type Service, type ServiceOptions } from 'svc-service';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { openVisitor, type Visitor } from '../../../test/support/browser';
import { OWNER } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { silentLogger } from '../../src/lib/logger';
import { openStore } from '../../src/store/open-store';
import { seedCalls, seedToolkits } from './marketplace';

export interface MarketplaceConsole extends Service {
  /** The owner in a new profile, signed in. Within a test. */
  owner(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor who is not signed in. Within a test. */
  stranger(): Promise<Visitor>;
}

export async function openMarketplaceConsole(options: ServiceOptions = {}): Promise<MarketplaceConsole> {
  const folder = makeFolder();
  const store = await openStore({ data: folder.path, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  await seedToolkits(store);
  await seedCalls(store);
  await store.close();
  const service = await createService({ port: 0, data: folder.path, console: true, ...options });
  const cookies = await joinAsOwner(service);
  return {
    ...service,
    owner: (context = {}) => openVisitor({ baseURL: service.url, storageState: { cookies, origins: [] }, ...context }),
    stranger: () => openVisitor({ baseURL: service.url }),
    close: async () => {
      await service.close();
      folder.remove();
    },
  };
}

async function joinAsOwner({ url, setupLink }: Service) {
  const token = (await setupLink())?.split('#')[1];
  const answer = await fetch(`${url}${ADMIN_PATHS.invitations}/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token, ...OWNER }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.getSetCookie().map((set) => {
    const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
    const sameSite = 'Lax' as const;
    return { name, value, domain: new URL(url).hostname, path: '/', expires: -1, httpOnly: true, secure: false, sameSite };
  });
}
