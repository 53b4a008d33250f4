/**
 * `npm run console:shots [-- PAGE…]`: pictures of the console's pages, or of these, in light and dark and as wide as a phone, into
 * `docs/images/console/`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { PAGES, type ShownPage } from './console-shots/pages.ts';
import { signInOwner } from './console-shots/sign-in-owner.ts';
import { openStage, type Stage } from './console-shots/stage.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/console/', import.meta.url));
/** A picture that is higher than this is cut off. */
const MAX_HEIGHT = 1_600;

interface Look {
  /** What the file's name has behind the page's. */
  suffix: string;
  options: BrowserContextOptions & { viewport: { width: number; height: number } };
}

const LOOKS: Look[] = [
  { suffix: '', options: { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' } },
  { suffix: '-dark', options: { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' } },
  { suffix: '-phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
];

const wanted = process.argv.slice(2);
const pages = PAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (pages.length < wanted.length) throw new Error(`There are the pages ${PAGES.map(({ name }) => name).join(', ')}`);
mkdirSync(FOLDER, { recursive: true });

const stage = await openStage();
const browser = await launchChromium();
try {
  for (const look of LOOKS) await takeAll(browser, stage, look);
} finally {
  await browser.close();
  await stage.close();
}

async function takeAll(browser: Browser, stage: Stage, { suffix, options }: Look): Promise<void> {
  const common = { ...options, baseURL: stage.url, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const;
  const [visitor, owner] = await Promise.all([browser.newContext(common), browser.newContext(common)]);
  const first = await owner.newPage();
  await signInOwner(first);
  await first.close();
  for (const shown of pages) {
    const page = await (shown.public ? visitor : owner).newPage();
    await take(page, shown, join(FOLDER, `${shown.name}${suffix}.png`), options.viewport);
    await page.close();
  }
  await Promise.all([visitor.close(), owner.close()]);
}

async function take(page: Page, { path, prepare }: ShownPage, file: string, viewport: Look['options']['viewport']): Promise<void> {
  await page.goto(path(stage));
  await shown(page);
  await prepare?.(page);
  await shown(page);
  // A window as high as the page: what stays at the edges of the window is then where it belongs.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: viewport.width, height: Math.min(MAX_HEIGHT, Math.max(viewport.height, height)) });
  await shown(page);
  await page.screenshot({ path: file, animations: 'disabled' });
  console.log(file);
}

/** Nothing is on its way any more that would change the picture. */
async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]'));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
