// @module-tag chromium
/** Accessibility of every page: WCAG 2.2 AA as far as axe checks it, keyboard only, and the width of a phone. */
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type CreatedInvitation, type InvocationsPage } from '#sdk/protocol/admin';
import { expectAccessible, expectAccessibleEverywhere } from '../../../test/support/browser';
import { callApi, OWNER, openConsole } from '../../../test/support/console';
import { everyPage } from '../support/console-pages';
import { startLoopbackApp } from '../support/loopback-app';
import { tokensOf } from '../support/oauth-client';

/** A name that leaves no room. */
const LONG = 'inventory-of-all-warehouses-in-northern-europe';

/** Something of everything that the pages can show. */
async function openUsedConsole() {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await callApi(page, ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' }, 'PATCH');
  await service.toolkit(LONG.slice(0, 30), (toolkit) => {
    toolkit.action(
      {
        action: 'find_articles_by_name',
        actionDescription: `Finds articles by name, in ${LONG}, and tells how many pieces are where`,
        payloadDescription: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', description: 'A part of the name' },
            where: { type: 'object', properties: { city: { type: 'string', enum: ['Malmö', 'Hamburg'] } } },
            sizes: { type: 'array', items: { type: 'integer', minimum: 1 } },
            exact: { type: 'boolean', default: false },
          },
        },
        annotations: { readOnly: true },
        payment: { amount: '123456789.123456' },
      },
      () => ({ articles: [] }),
    );
    toolkit.action({ action: 'do', actionDescription: 'Does it', payloadDescription: {}, annotations: { destructive: true } }, (context) =>
      context.error('BROKEN', `${LONG} ${LONG} is broken`, { data: { why: LONG } }),
    );
  });
  const [id = ''] = (await service.keys.list()).flatMap(({ toolkit }) => toolkit ?? []);
  await service.keys.create({ kind: 'agent', name: LONG, allow: { toolkits: [id], actions: [] }, callsPerMinute: 1_000 });
  const revoked = await service.keys.create({ kind: 'agent', name: 'former' });
  await service.keys.revoke(revoked.id);
  const tools = await service.tools(
    { sessionId: LONG, userId: LONG },
    { name: `${LONG}-agent`, budget: { perCall: '999999999', perDay: '999999999999.999999' } },
  );
  for (const query of ['articles by name', 'nothing of the kind', LONG]) await tools.search(query);
  await tools.invoke(`${id}__find_articles_by_name`, { name: 'bell' });
  await tools.invoke(`${id}__do`, {}).catch(() => {});
  const { token } = await callApi<CreatedInvitation>(page, ADMIN_PATHS.invitations, { role: 'member', name: LONG });
  const { invocations } = await callApi<InvocationsPage>(page, ADMIN_PATHS.invocations);
  const pages = everyPage({ action: `${id}__find_articles_by_name`, toolkit: id, call: invocations[0]?.id ?? '', session: LONG });
  return { service, owner, pages, joinPath: `/join#${token}` };
}

async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .mantine-Skeleton-root'));
}

/** The focused element; undefined at the end of the page, where the browser itself has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      name: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      inMain: element.closest('main') !== null,
      inDialog: element.closest('[role="dialog"]') !== null,
      isVisible: element.checkVisibility(),
      // Fields show it by their cursor and the colour of their border.
      isMarked: element.matches('input, textarea') || (outlineStyle !== 'none' && outlineWidth !== '0px'),
    };
  });

test('every page is accessible in light and dark, has one main heading, and is not wider than a phone', { timeout: 600_000 }, async () => {
  const { owner, pages } = await openUsedConsole();
  const { page } = owner;
  for (const { name, path } of [...pages, { name: 'unknown', path: '/no/such/page' }, { name: 'found', path: '/search?query=articles' }]) {
    await page.goto(path);
    await shown(page);
    expect.soft(await page.getByRole('heading', { level: 1 }).count(), `h1 of ${name}`).toBe(1);
    await expectAccessibleEverywhere(page);
  }
});

test('so is the consent page of an app: new, known, in need of mending, and unknown', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayBeRefused(400, /^\/v1\/oauth\/requests$/);
  const app = await startLoopbackApp(service);
  const { page } = owner;
  await page.goto(app.authorizePath());
  await shown(page);
  await page.getByLabel('Chosen toolkits and actions').check();
  await expectAccessibleEverywhere(page);
  await page.getByLabel('All actions, including future ones').check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  await tokensOf(await app.client.exchange(app.answers[0]?.get('code') ?? ''));
  for (const changed of [{}, { code_challenge: undefined }, { client_id: undefined }]) {
    await page.goto(app.authorizePath(changed));
    await shown(page);
    await expectAccessibleEverywhere(page);
  }
  for (const path of ['/account', '/people']) {
    await page.goto(path);
    await shown(page);
    await page.getByRole('table', { name: 'Connected apps' }).waitFor();
    await expectAccessibleEverywhere(page);
  }
});

test('so are the pages without a session', async () => {
  const { service, joinPath } = await openUsedConsole();
  const { page } = await service.visitor();
  for (const path of ['/sign-in', joinPath, '/join']) {
    await page.goto(path);
    await shown(page);
    await expectAccessibleEverywhere(page);
  }
});

test('so is an empty console, whose pages show the next step', { timeout: 600_000 }, async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayBeRefused(404, /./);
  const { page } = owner;
  for (const { name, path } of everyPage({ action: 'no__such', toolkit: 'none', call: 'inv_none', session: 'none' })) {
    await page.goto(path);
    await shown(page);
    const nextSteps = page.getByRole('main').locator('a, button, input');
    expect.soft(await nextSteps.count(), `next steps on ${name}`).toBeGreaterThan(0);
    await expectAccessible(page);
  }
});

test('dialogs are accessible, keep the focus, and give it back', async () => {
  const { owner } = await openUsedConsole();
  const { page } = owner;
  for (const { path, button } of [
    { path: '/keys', button: 'New key' },
    { path: '/people', button: /^Invite/ },
  ]) {
    await page.goto(path);
    await shown(page);
    const opener = page.getByRole('button', { name: button }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      expect(await focused(page), `after ${step + 1} steps`).toMatchObject({ inDialog: true });
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await vi.waitFor(async () => expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true));
  }
});

test('the keyboard alone is enough: signing in, the skip link, each control with its focus to be seen', async () => {
  const { service, owner } = await openUsedConsole();
  const { page } = await service.visitor();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').waitFor();
  expect(await page.getByLabel('E-mail').evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type(OWNER.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await owner.page.goto('/keys');
  await shown(owner.page);
  await owner.page.keyboard.press('Tab');
  expect(await focused(owner.page)).toMatchObject({ name: 'Skip to content', isVisible: true });
  await owner.page.keyboard.press('Enter');
  await owner.page.keyboard.press('Tab');
  expect(await focused(owner.page)).toMatchObject({ name: 'New key', inMain: true });
  for (const path of ['/', '/calls', '/keys', '/settings']) {
    await owner.page.goto(path);
    await shown(owner.page);
    for (let step = 0; step < 25; step++) {
      await owner.page.keyboard.press('Tab');
      const { name, ...rest } = (await focused(owner.page)) ?? {};
      if (name === undefined) break;
      expect.soft(rest, `${path}, step ${step + 1}: ${name.slice(0, 40)}`).toMatchObject({ isVisible: true, isMarked: true });
    }
  }
});
