/** The connect page, from the link in the answer of a call to the call that acts with the account. */
import { describe, expect, test } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { startConnectStage } from '../support/connections/connect-stage';
import { codeOn } from '../support/connections/page-browser';

describe('a user of an app', () => {
  test('connects a token by the form, and calls act with it once the app has confirmed the user', async () => {
    const stage = await startConnectStage();
    const app = await stage.app();
    const { url, help, confirm } = await app.required('u_81');
    expect([help, confirm]).toEqual(['A token with the scope repo', true]);

    const browser = stage.browser();
    const page = await browser.open(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Shop bot will act with the account that you connect here, for its user u_81 .');
    const shown = await browser.submit(page, { token: 'gho_secret_1' });
    expect(shown.html).not.toContain('gho_secret_1');
    const code = codeOn(shown);
    await expect(app.call('u_81')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });

    expect(await app.ask('POST', PATHS.connectionConfirmations, { code: code.toLowerCase(), userId: 'u_81' })).toEqual({
      toolkit: 'github',
      name: 'default',
    });
    expect(await app.call('u_81')).toMatchObject({ type: 'bearer', token: 'gho_secret_1' });
    await expect(app.call('u_82')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
    expect((await browser.open(url)).text).toContain('Connected. You can close this page');
  });

  test('connects an account at a provider, and comes back to the app', async () => {
    const stage = await startConnectStage();
    const provider = await stage.withProvider();
    const app = await stage.app();
    const { url } = await app.required('u_81');
    const browser = stage.browser();
    const page = await browser.open(url);
    expect(page.text).toContain(`Continue to ${new URL(provider.issuer).host}`);
    const { left } = await browser.submit(page);
    const back = await provider.signIn(left!, 'octocat');
    const ended = await browser.open(back.href);
    expect(ended.text).toContain('Connected as octocat');
    expect(new URL(ended.url).pathname).toMatch(/^\/connections\/connect\//);
    const code = codeOn(ended);
    expect(await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' })).toEqual({
      ...{ toolkit: 'github', name: 'default', account: 'octocat' },
    });
    expect(await app.call('u_81')).toMatchObject({ type: 'bearer', token: expect.any(String), account: 'octocat' });
  });
});
