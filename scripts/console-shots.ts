/**
 * `npm run console:shots [-- PAGE…]`: pictures of the console's pages, or of these, in light and dark and as wide as a phone, into
 * `docs/images/console/`: where they changed. Their content is the same in every run.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { NOW } from './console-shots/clock.ts';
import { withFewerColours } from './console-shots/fewer-colours.ts';
import { PAGES, type ShownPage } from './console-shots/pages.ts';
import { makeSame } from './console-shots/same-each-time.ts';
import { saveChanged } from './console-shots/save-changed.ts';
import { signIn } from './console-shots/sign-in.ts';
import { NEWCOMER, OWNER, openStage, type Stage } from './console-shots/stage.ts';
import { withVersion } from './console-shots/version-in-picture.ts';
import { requirePrograms } from './programs.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const FOLDER = fileURLToPath(new URL('../docs/images/console/', import.meta.url));
/** A picture that is higher than this is cut off. */
const MAX_HEIGHT = 1_600;

interface Look {
  /** The part of the file's name after the page's. */
  suffix: string;
  colorScheme: 'light' | 'dark';
  window: { width: number; height: number };
}

const DESK = { width: 1_280, height: 800 };
const LOOKS: Look[] = [
  { suffix: '', colorScheme: 'light', window: DESK },
  { suffix: '-dark', colorScheme: 'dark', window: DESK },
  { suffix: '-phone', colorScheme: 'light', window: { width: 390, height: 844 } },
];

requirePrograms('chromium', 'pngquant');
const wanted = process.argv.slice(2);
const pages = PAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (pages.length < wanted.length) throw new Error(`There are the pages ${PAGES.map(({ name }) => name).join(', ')}`);
mkdirSync(FOLDER, { recursive: true });

const stage = await openStage();
const browser = await launchChromium();
try {
  const people = {
    owner: await openContext(browser, stage, OWNER),
    newcomer: await openContext(browser, stage, NEWCOMER),
    stranger: await openContext(browser, stage),
  };
  const blank = await browser.newPage();
  for (const shown of pages) {
    const page = await people[shown.seenBy ?? 'owner'].newPage();
    for await (const { file, picture } of pictures(page, shown, stage))
      console.log(`${(await saveChanged(blank, file, withVersion(withFewerColours(picture), version))) ? 'new ' : 'same'} ${file}`);
    await page.close();
  }
} finally {
  await browser.close();
  await stage.close();
}

async function openContext(browser: Browser, { url }: Stage, person?: { email: string }): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC', viewport: DESK });
  await context.clock.setFixedTime(NOW);
  if (person) {
    const page = await context.newPage();
    await signIn(page, person);
    await page.close();
  }
  return context;
}

async function* pictures(page: Page, { name, path, prepare }: ShownPage, stage: Stage) {
  await page.goto(path(stage));
  await settled(page);
  await prepare?.(page, stage);
  for (const look of LOOKS) yield { file: join(FOLDER, `${name}${look.suffix}.png`), picture: await take(page, look) };
}

async function take(page: Page, { colorScheme, window }: Look): Promise<Buffer> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(window);
  await page.evaluate(() => scrollTo(0, 0));
  await settled(page);
  // A window as high as the page: what stays at the edges of the window is then where it belongs.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: window.width, height: Math.min(MAX_HEIGHT, Math.max(window.height, height)) });
  await settled(page);
  await makeSame(page);
  return page.screenshot({ animations: 'disabled' });
}

/** Nothing is on its way any more that would change the picture. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]'));
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
