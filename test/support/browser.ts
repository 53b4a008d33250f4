/**
 * Chromium, one for each file of tests; every visitor has a separate profile.
 *
 * Errors: what a page must never do fails the test when it ends: an exception, an error on its console, a breach of the CSP, a request that
 *         fails or is refused without the test saying so.
 */
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';

/** WCAG 2.2, level AA, and the levels and versions it includes. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const PHONE = { width: 390, height: 844 };

export interface Visitor {
  /** Their first tab. */
  readonly page: Page;
  readonly context: BrowserContext;
  /** The test expects the service to reject this. */
  mayBeRefused(status: number, path: RegExp): void;
  /** The test expects this browser error. */
  mayComplain(text: RegExp): void;
}

interface Refusal {
  status: number;
  path: RegExp;
}

interface Expected {
  refusals: Refusal[];
  complaints: RegExp[];
}

/** This request of a visitor who is not signed in fails on purpose. */
const NOBODY_YET: Refusal = { status: 401, path: /^\/v1\/me$/ };

/** Chromium logs this for every answer with status 400 or above; the answers are checked separately. */
const REFUSED = /^Failed to load resource: the server responded with a status of/;

/** `waitForFunction` otherwise runs in each frame, and makes the browser draw sixty of them a second. */
export const NOT_EACH_FRAME = { polling: 50 };

let started: Promise<Browser> | undefined;

// A page takes many times as long as a call where the machine has other things to do.
vi.setConfig({ testTimeout: 300_000 });

afterAll(async () => {
  await (await started)?.close();
});

/** A new profile whose pages are watched until the test ends. */
export async function openVisitor(options: BrowserContextOptions = {}): Promise<Visitor> {
  started ??= launchChromium();
  const context = await (await started).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // No promise is about this time: a page that does not come at all fails its test a little later.
  context.setDefaultTimeout(60_000);
  const expected: Expected = { refusals: [NOBODY_YET], complaints: [REFUSED] };
  const faults = watch(context, expected);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const page of context.pages()) console.error(`${page.url()}\n${await outline(page)}`);
    await context.close();
    expect(faults, 'what its pages must not do').toEqual([]);
  });
  return {
    page: await context.newPage(),
    context,
    mayBeRefused: (status, path) => void expected.refusals.push({ status, path }),
    mayComplain: (text) => void expected.complaints.push(text),
  };
}

/**
 * Checks for violations, with kind and place. The test continues, so that it reports all of them.
 *
 * @param rules of axe, such as only those of colours where the page was checked before; default: all of WCAG 2.2 AA
 */
export async function expectAccessible(page: Page, rules: readonly string[] = []): Promise<void> {
  // Colours have other contrasts during a transition.
  await page.waitForFunction(
    () => document.getAnimations().every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
    undefined,
    NOT_EACH_FRAME,
  );
  // Compiled once for each document: it has 600 kB.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const told = await page.evaluate(
    async (runOnly) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly, resultTypes: ['violations'] });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
      );
    },
    rules.length > 0 ? { type: 'rule' as const, values: [...rules] } : { type: 'tag' as const, values: WCAG },
  );
  expect.soft(told, `of axe at ${page.url()}`).toEqual([]);
}

/** The rules of axe whose result differs between light and dark. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Emulates a switch of the system setting while the page is open. */
async function switchColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((scheme) => document.documentElement.dataset.mantineColorScheme === scheme, colorScheme, NOT_EACH_FRAME);
}

/** Nothing of the page is beyond the right edge of the window, once everything has moved to where it belongs. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await vi.waitFor(async () => expect(await tooWide()).toBeLessThanOrEqual(0), 10_000).catch(() => {});
  expect
    .soft(await tooWide(), `pixels that are missing at ${page.url()} in a window of ${page.viewportSize()?.width}`)
    .toBeLessThanOrEqual(0);
}

function watch(context: BrowserContext, { refusals, complaints }: Expected): string[] {
  const faults: string[] = [];
  context.on('weberror', (error) => void faults.push(`exception: ${error.error().stack}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !complaints.some((text) => text.test(message.text()))) faults.push(`console: ${message.text()}`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Leaving a page ends its requests.
    if (why !== 'net::ERR_ABORTED' && !complaints.some((text) => text.test(why)))
      faults.push(`failed: ${request.method()} ${request.url()}: ${why}`);
  });
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() < 400 || refusals.some(({ status, path }) => status === response.status() && path.test(pathname))) return;
    faults.push(`refused: ${response.request().method()} ${pathname}: ${response.status()}`);
  });
  return faults;
}

/** The content of a page, to find why a test failed. */
function outline(page: Page): Promise<string> {
  return page.locator('body').ariaSnapshot({ timeout: 10_000 });
}

/** Checks the page in light and dark. Rules that do not depend on colours run once. */
export async function expectAccessibleInEachColor(page: Page): Promise<void> {
  await switchColors(page, 'light');
  await expectAccessible(page);
  await switchColors(page, 'dark');
  await expectAccessible(page, COLOR_RULES);
}

/** Checks the page in light and dark, and for sideways scrolling on a phone. */
export async function expectAccessibleEverywhere(page: Page, phone = PHONE): Promise<void> {
  await expectAccessibleInEachColor(page);
  const { width, height } = page.viewportSize() ?? phone;
  await page.setViewportSize(phone);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width, height });
}
