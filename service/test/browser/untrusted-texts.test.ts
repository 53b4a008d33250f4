// @module-tag chromium
/** Texts of third parties are shown as text on every page, never as a part of the page. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import { callApi, openConsole } from '../../../test/support/console';
import { everyPage } from '../support/console-pages';
import { startLoopbackApp } from '../support/loopback-app';
import { tokensOf } from '../support/oauth-client';
import { visit } from '../support/used-console';

/** No longer than a name may be. */
const IMAGE = '<img src=/icon.svg?evil onload=ran=1 onerror=ran=1>';
const SCRIPT = '</script><script>globalThis.ran = true</script>';
/** Ids of sessions and users have no spaces. */
const SESSION = SCRIPT.replaceAll(' ', '');
const LINK = '[here](javascript:globalThis.ran=true) javascript:globalThis.ran=true';
const EVIL = `${IMAGE} ${SCRIPT} ${LINK}`;

test('names, descriptions, schemas, payloads, results, errors and searches are shown as they are, and do nothing', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  await callApi(page, ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' }, 'PATCH');
  await callApi(page, ADMIN_PATHS.invitations, { role: 'member', name: IMAGE });
  const toolkit = await service.toolkit('evil', (evil) => {
    const describe = (action: string, handler: (...args: never[]) => unknown) =>
      evil.action(
        {
          action,
          actionDescription: `Greets. ${EVIL}`,
          payloadDescription: {
            type: 'object',
            description: EVIL,
            properties: { [IMAGE]: { type: 'string', description: EVIL, enum: [IMAGE, SCRIPT], title: SCRIPT } },
          },
        },
        handler as () => unknown,
      );
    describe('greet', () => ({ [IMAGE]: EVIL }));
    describe('break', () => {
      throw new Error(EVIL);
    });
  });
  await toolkit.updateToolkit({ name: IMAGE, description: EVIL });
  await service.keys.create({ kind: 'toolkit', name: SCRIPT, toolkit: 'evil' });
  const tools = await service.tools({ sessionId: SESSION, userId: SESSION }, { name: IMAGE });
  for (const query of [IMAGE, SCRIPT, 'greets']) await tools.search(query);
  await tools.invoke('evil__greet', { [IMAGE]: IMAGE });
  await tools.invoke('evil__break', {}).catch(() => {});
  const { invocations } = await callApi<InvocationsPage>(page, ADMIN_PATHS.invocations);
  expect(invocations).toHaveLength(2);

  const pages = everyPage({ action: 'evil__greet', toolkit: 'evil', call: invocations[0]?.id ?? '', session: SESSION, user: SESSION });
  const app = await startLoopbackApp(service, IMAGE);
  await page.goto(app.authorizePath());
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  await tokensOf(await app.client.exchange(app.answers[0]?.get('code') ?? ''));
  const consent = { name: 'consent', path: app.authorizePath() };
  const failed = { name: 'call that failed', path: `/calls/${invocations[1]?.id}` };
  const searched = { name: 'search for it', path: `/search?query=${encodeURIComponent(EVIL)}` };
  const seen: string[] = [];
  for (const { name, path } of [...pages, failed, searched, consent]) {
    await visit(page, path);
    const { ran, injected, text } = await page.evaluate(() => ({
      ran: 'ran' in globalThis,
      injected: document.querySelectorAll('img[src*="evil"], body script:not([src]), a[href^="javascript:"]').length,
      text: document.body.innerText,
    }));
    expect({ ran, injected }, name).toEqual({ ran: false, injected: 0 });
    if (text.includes('<img src=') || text.includes('</script>')) seen.push(name);
  }
  expect(seen).toEqual(
    expect.arrayContaining([
      'keys',
      'people',
      'toolkits',
      'toolkit',
      'action',
      'search for it',
      'demand',
      'call',
      'calls',
      'session',
      'account',
      'consent',
    ]),
  );
});
