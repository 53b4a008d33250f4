// @module-tag postgres
// @module-tag nats
/** The official TypeScript SDKs at two nodes on PostgreSQL: the load balancer sends each request to another one. */
import { expect, test, vi } from 'vitest';
import { type Sdk, v1, v2 } from '../support/oauth/sdk-clients';
import { startSignInNodes } from '../support/oauth/sign-in-stage';

const SDKS: [string, Sdk][] = [
  ['SDK v1', v1],
  ['SDK v2', v2],
];

test.each(SDKS)('%s signs in at two nodes, refreshes at either, and both end its sign-in', async (_name, sdk) => {
  const stage = await startSignInNodes();
  const app = await sdk({ mcpUrl: stage.mcpUrl, browser: stage.allow });
  for (let round = 0; round < 4; round++) {
    const said = await Promise.all(['one', 'two', 'three'].map(app.say));
    expect(said).toEqual(['one', 'two', 'three'].map((text) => ({ said: text })));
    // Not the clock: nodes would miss each other's signs of life.
    app.provider.spoilAccessToken();
  }
  expect(app.provider.opened).toHaveLength(1);
  expect(await stage.connectedApps()).toMatchObject([{ signIns: 1 }]);
  await app.say('before');
  await stage.disconnect();
  await vi.waitFor(() => expect(app.say('after')).rejects.toThrow('Unauthorized'), { timeout: 30_000 });
});
