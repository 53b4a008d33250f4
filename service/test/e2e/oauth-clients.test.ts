/** The official TypeScript SDKs sign in at `/mcp` with nothing but its URL. */
import { expect, test } from 'vitest';
import { serveClientDocument } from '../support/oauth/client-document';
import { type Sdk, v1, v2 } from '../support/oauth/sdk-clients';
import { type SignInStage, startSignInStage } from '../support/oauth/sign-in-stage';

const SDKS: [string, Sdk][] = [
  ['SDK v1', v1],
  ['SDK v2', v2],
];
const TOOLS = ['search_services', 'invoke_service'];
const DOCUMENT = '{"client_id":"","client_name":"Probe","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}';

function signIn(sdk: Sdk, { mcpUrl, allow }: SignInStage, document?: string) {
  return sdk({ mcpUrl, browser: allow, ...(document !== undefined && { document }) });
}

test.each(SDKS)(
  '%s registers, refreshes an expired token once for calls at the same time, and signs in again after Disconnect',
  async (_name, sdk) => {
    const stage = await startSignInStage();
    const app = await signIn(sdk, stage);
    expect(await app.tools()).toEqual(TOOLS);
    expect(await app.say('hi')).toEqual({ said: 'hi' });
    expect(await stage.connectedApps()).toMatchObject([
      { name: 'Probe (localhost)', client: { name: 'Probe', host: 'localhost' }, signIns: 1, lastUsedAt: expect.any(String) },
    ]);
    const before = app.provider.saved;

    stage.expireTokens();
    const said = await Promise.all(['one', 'two', 'three'].map(app.say));
    expect(said).toEqual(['one', 'two', 'three'].map((text) => ({ said: text })));
    expect(app.provider.saved?.access_token).not.toBe(before?.access_token);
    expect(app.provider.saved?.refresh_token).not.toBe(before?.refresh_token);
    stage.expireTokens();
    expect(await app.say('again')).toEqual({ said: 'again' });
    expect(app.provider.opened).toHaveLength(1);
    expect(await stage.connectedApps()).toMatchObject([{ signIns: 1 }]);

    await stage.disconnect();
    await expect(app.say('after')).rejects.toThrow('Unauthorized');
    expect(app.provider.opened).toHaveLength(2);
    await app.finishSignIn();
    expect(await app.say('back')).toEqual({ said: 'back' });
    expect(await stage.connectedApps()).toMatchObject([{ client: { name: 'Probe' }, signIns: 1 }]);
  },
);

test.each(SDKS)('%s signs in by its client document, which is read once', async (_name, sdk) => {
  const stage = await startSignInStage({ privateClientHosts: ['localhost'] });
  const document = await serveClientDocument(DOCUMENT);
  const app = await signIn(sdk, stage, document.url);
  expect(await app.say('hi')).toEqual({ said: 'hi' });
  expect(app.provider.opened[0]?.searchParams.get('client_id')).toBe(document.url);
  const { host } = new URL(document.url);
  expect(await stage.connectedApps()).toMatchObject([
    { name: `Probe (${host})`, client: { name: 'Probe', host, document: document.url }, signIns: 1 },
  ]);
  stage.expireTokens();
  expect(await app.say('again')).toEqual({ said: 'again' });
  expect(document.reads()).toBe(1);
});
