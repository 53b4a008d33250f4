// @module-tag chromium
/** The catalogue as a visitor reads it: without JavaScript, in light and dark, in any width, and with the numbers of what was sent. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { COLOR_RULES, expectAccessible, expectNoSidewaysScroll, openVisitor } from '../../../test/support/browser';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { PNG } from '../../../test/support/vectors';

const LONG = 'inventory_of_all_warehouses_in_northern_europe_and_elsewhere';
const README = `# Weather of the world

Of **all** cities, see [the source](https://example.com/).

| city | degrees | ${LONG} |
| --- | --- | --- |
| Rome | 21 | ${LONG}${LONG} |

\`\`\`sh
curl https://example.com/${LONG}/${LONG}/${LONG}
\`\`\`

> Quotes, and ![a picture](https://example.com/picture.png)
`;

async function stage() {
  const service = await startConsole({ catalogue: 'public' });
  await service.toolkit('weather', (toolkit) => {
    void toolkit.updateToolkit({ name: 'Weather', description: 'Weather of today, by city. From a station in each of them.' });
    toolkit.action(
      {
        action: 'today',
        actionDescription: 'Weather of today in a city: degrees Celsius and a word for the sky',
        payloadDescription: {
          city: { type: 'string', description: 'Name of the city', required: true },
          [LONG]: { type: 'string', description: LONG.repeat(3) },
        },
        annotations: { readOnly: true },
      },
      (ctx, { city }) => (city === 'Atlantis' ? ctx.error('CITY_UNKNOWN', 'No station') : { celsius: 21 }),
    );
  });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'readme' });
  const raw = await RawToolkit.connect(service, key);
  await raw.register([{ action: 'get', actionDescription: 'Gets a letter by its number', payment: { amount: '0.05', currency: 'USD' } }], {
    toolkit: { name: LONG, description: LONG, readme: README, icon: `data:image/png;base64,${PNG}`, category: 'data', version: '1.4' },
  });
  const tools = await service.tools();
  for (const city of ['Rome', 'Oslo', 'Lima', 'Atlantis']) await tools.invoke('weather__today', { city }).catch(() => {});
  return service;
}

const DESK = { width: 1280, height: 800 };
const PARTS = ['', '/weather', '/weather/actions', '/weather/use', '/weather/changes', '/weather/status', '/readme', '/readme/actions'];

const cardOf = (page: Page) => page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Weather', exact: true }) });

test('a visitor without JavaScript searches, reads the numbers of the sent calls, and walks through all parts', async () => {
  const { url } = await stage();
  const { page } = await openVisitor({ javaScriptEnabled: false });
  await expect
    .poll(
      async () => {
        await page.goto(url);
        return (await cardOf(page).locator('dd').allInnerTexts()).slice(0, 3);
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toEqual(['1', '4', '75 %']);
  expect(new URL(page.url()).pathname).toBe('/catalogue');
  await page.getByRole('searchbox', { name: 'What should the agent do?' }).fill('weather in a city');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(await page.getByRole('article').getByRole('heading').first().innerText()).toBe('Weather');
  await page.getByRole('link', { name: 'Weather', exact: true }).click();
  const open = async (part: string) => {
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: part }).click();
    return page.locator('main').innerText();
  };
  expect(await open('Actions')).toMatch(/today\(city: string.*4 calls in 30 days · 75 % success/s);
  expect(await open('Use it')).toContain(`${url}/v1/search`);
  expect(await open('Changes')).toContain('Changes');
  expect(await open('Status')).toMatch(/Online now\./);
  await page.getByText('As a table').click();
  expect(await page.getByRole('row').last().innerText()).toMatch(/\s4\s+75 %/);
});

test('every page is accessible in light and dark, and fits every width', async () => {
  const { url } = await stage();
  const { page } = await openVisitor();
  for (const part of PARTS) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESK);
    await page.goto(`${url}/catalogue${part}`);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, COLOR_RULES);
    for (const width of [320, 390, 768, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  }
});
