// @module-tag chromium
/** Accessibility of every page: WCAG 2.2 AA as far as axe checks it, keyboard only, and the widths of windows. */
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectAccessibleInEachColor,
  expectNoSidewaysScroll,
} from '../../../test/support/browser';
import { OWNER, openConsole } from '../../../test/support/console';
import { everyPage } from '../support/console-pages';
import { focused, markFocused, unmarkedControls } from '../support/focused';
import { startLoopbackApp } from '../support/loopback-app';
import { tokensOf } from '../support/oauth-client';
import { openUsedConsole, shown, visit } from '../support/used-console';

const WIDTHS = [320, 390, 600, 768, 1024, 1280, 1600];

// One test, since opening a page takes longer than to look at it once more.
test('every page is accessible in light and dark, has one main heading, no sideways scroll, and controls that the keyboard reaches', {
  timeout: 600_000,
}, async () => {
  const { owner, pages } = await openUsedConsole();
  const { page } = owner;
  for (const { name, path } of [...pages, { name: 'unknown', path: '/no/such/page' }, { name: 'found', path: '/search?query=articles' }]) {
    await visit(page, path);
    expect.soft(await page.getByRole('heading', { level: 1 }).count(), `h1 of ${name}`).toBe(1);
    await expectAccessibleInEachColor(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectReachableByKeyboard(page, name);
  }
});

/** Tab leads to each control of the main part, and the focus can be seen on it. */
async function expectReachableByKeyboard(page: Page, name: string): Promise<void> {
  const main = page.locator('#main');
  // An unknown page has no navigation to skip.
  if ((await main.count()) === 0) return;
  await main.focus();
  for (;;) {
    await page.keyboard.press('Tab');
    const { name: control = '', inMain = false, isVisible, isMarked } = (await focused(page)) ?? {};
    if (!inMain) break;
    expect.soft({ isVisible, isMarked }, `${name}: ${control.slice(0, 40)}`).toEqual({ isVisible: true, isMarked: true });
    expect(await markFocused(page), `${name}: the focus goes in circles at ${control.slice(0, 40)}`).toBe(false);
  }
  expect.soft(await unmarkedControls(page), `controls of ${name} without the keyboard`).toEqual([]);
}

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

test('so is an empty console, whose pages show the next step', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayBeRefused(404, /./);
  const { page } = owner;
  for (const { name, path } of everyPage({ action: 'no__such', toolkit: 'none', call: 'inv_none', session: 'none', user: 'none' })) {
    await visit(page, path);
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

test('the keyboard alone is enough to sign in and to skip the menu', async () => {
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
  expect(await focused(owner.page)).toMatchObject({ name: 'Views', inMain: true });
});
