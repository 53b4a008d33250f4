// @module-tag chromium
/** The pages of a large marketplace in windows between a phone and a desk: nothing overlaps, nothing is squeezed to nothing or cut off. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoSidewaysScroll } from '../../../test/support/browser';
import { startLoopbackApp } from '../support/loopback-app';
import { type MarketplaceConsole, openMarketplaceConsole } from '../support/marketplace-console';
import { visit } from '../support/used-console';

const WIDTHS = [390, 600, 768, 820, 900, 960, 1024, 1280];
const PAGES = [
  '/',
  '/start',
  '/connect?staticToolkits=payroll-invoices',
  '/search?query=invoices',
  '/actions/payroll-invoices__create_invoices',
  '/actions/nothing__there',
  '/toolkits',
  '/toolkits/payroll-invoices',
  '/toolkits/nothing',
  '/demand',
  '/calls',
  '/calls/inv_nope',
  '/sessions/nope',
  '/approvals',
  '/approvals/apr_nope',
  '/keys',
  '/connections',
  '/spending',
  '/people',
  '/audit',
  '/review',
  '/settings',
  '/account',
  '/no/such/page',
];
const PAGES_OF_STRANGERS = ['/sign-in', '/join#inv_used'];

let service: MarketplaceConsole;
beforeAll(async () => {
  service = await openMarketplaceConsole();
});
afterAll(() => service.close());

/** The measures of the column heads in the table of that name; hidden columns are left out. */
async function measure(page: Page, table: RegExp) {
  return page
    .getByRole('table', { name: table })
    .locator('thead th')
    .evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const { left, right, width } = cell.getBoundingClientRect();
        const text = document.createRange();
        text.selectNodeContents(cell);
        return width > 0 ? [{ name: cell.textContent?.trim(), left, right, width, textRight: text.getBoundingClientRect().right }] : [];
      }),
    );
}

test.for([
  { path: '/calls', table: /Calls, newest first/ },
  { path: '/?span=24h', table: /Last calls/ },
])('calls at $path have a readable action, rows of a few lines, and columns that do not overlap', async ({ path, table }) => {
  const { page } = await service.owner();
  await page.goto(path);
  const rows = page.getByRole('table', { name: table }).locator('tbody tr');
  await rows.first().waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const actionWidth = async () => (await measure(page, table)).find(({ name }) => name === 'Action')?.width;
    // The page moves beside its navigation for a moment.
    await expect.poll(actionWidth, { message: `at ${width} px` }).toBeGreaterThan(150);
    const columns = await measure(page, table);
    for (const { textRight, right, name } of columns) expect(textRight, `${name} at ${width} px`).toBeLessThanOrEqual(right);
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights), `at ${width} px`).toBeLessThan(170);
    await expectNoSidewaysScroll(page);
  }
});

test('no page is wider than its window', async () => {
  const owner = await service.owner();
  const stranger = await service.stranger();
  owner.mayBeRefused(404, /^\/v1\/(approvals|invocations|reports|sessions)\//);
  stranger.mayBeRefused(404, /^\/v1\/invitations\/preview$/);
  const app = await startLoopbackApp(service);
  for (const path of [...PAGES, app.authorizePath()]) await expectToFit(owner.page, path);
  for (const path of PAGES_OF_STRANGERS) await expectToFit(stranger.page, path);
});

async function expectToFit(page: Page, path: string) {
  await visit(page, path);
  for (const width of [390, 768, 900, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
}
