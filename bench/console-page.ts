/**
 * `npm run bench:console-page [-- --runs 3]`: measures what a browser downloads for each page of the console of a large marketplace, when it opens
 * the page for the first time and when it opens it again, and how long until the page is usable, on this machine and over a slow line.
 *
 * Units: kB are 1,000 bytes on the wire, headers included; a request that the browser's cache answers does not count. Milliseconds are counted from
 *        the start of the navigation until the page shows its heading and a link, button or field of it can be clicked. The slow line carries
 *        400 kB/s with 100 ms of latency.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../scripts/chromium.ts';
import { NOW } from '../scripts/console-shots/clock.ts';
import { signIn } from '../scripts/console-shots/sign-in.ts';
import { OWNER, openStage, SESSION } from '../scripts/console-shots/stage.ts';
import { requirePrograms } from '../scripts/programs.ts';
import { everyPage } from '../service/test/support/console-pages.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { fillLarge, LARGE } from './console-page/large-data.ts';

const SLOW_LINE = { offline: false, latency: 100, downloadThroughput: 400_000, uploadThroughput: 400_000 };

const MORE_PAGES = [
  { name: 'user', path: '/users/customer-7' },
  { name: 'catalogue', path: '/catalogue' },
  { name: 'catalogue, toolkit', path: '/catalogue/warehouse' },
  { name: 'catalogue, actions', path: '/catalogue/warehouse/actions' },
];

interface Opened {
  requests: number;
  bytes: number;
  usableMs: number;
}

requirePrograms('chromium');
const { runs } = benchCommand('npm run bench:console-page --')
  .option('--runs <count>', 'how often each page is opened', wholeNumber, 3)
  .parse()
  .opts<{ runs: number }>();

console.log(describeMachine(machineFacts()));
console.log(`${LARGE.keys} keys, ${LARGE.toolkits} toolkits, ${LARGE.calls} calls, ${LARGE.sessions} sessions`);
const stage = await openStage({ fill: fillLarge });
const browser = await launchChromium();
try {
  const session = await sessionOf(browser);
  const pages = everyPage({
    action: 'orders__change_address',
    toolkit: 'warehouse',
    call: stage.failedCall,
    session: SESSION,
    user: 'cus_4821',
  });
  const rows: string[][] = [];
  for (const { name, path } of [{ name: 'sign-in', path: '/sign-in' }, ...pages, ...MORE_PAGES]) {
    const storageState = path === '/sign-in' ? undefined : session;
    const [cold, warm, slow]: [Opened[], Opened[], Opened[]] = [[], [], []];
    // The first run fills the service's file cache and does not count.
    for (let run = 0; run <= runs; run++) {
      const context = await newContext(browser, storageState);
      const first = await open(context, path);
      const again = await open(context, path);
      await context.close();
      if (run === 0) continue;
      cold.push(first);
      warm.push(again);
      const far = await newContext(browser, storageState);
      slow.push(await open(far, path, SLOW_LINE));
      await far.close();
    }
    rows.push([name, ...loaded(cold), ...loaded(warm), ...[cold, warm, slow].map(usable)]);
  }
  const head = ['requests', 'kB', 'again: requests', 'kB', 'ms until usable', 'again', 'slow line'];
  console.log(formatTable(['page', ...head], rows));
} finally {
  await browser.close();
  await stage.close();
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

async function newContext(from: Browser, storageState?: StorageState): Promise<BrowserContext> {
  const context = await from.newContext({ baseURL: stage.url, ...(storageState && { storageState }) });
  // The clock of the service is stopped: a page with another time would ask for times to come.
  await context.clock.setFixedTime(NOW);
  return context;
}

async function sessionOf(from: Browser): Promise<StorageState> {
  const context = await newContext(from);
  await signIn(await context.newPage(), OWNER);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function open(context: BrowserContext, path: string, line?: typeof SLOW_LINE): Promise<Opened> {
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  if (line) await network.send('Network.emulateNetworkConditions', line);
  const sizes = new Map<string, number>();
  const cached = new Set<string>();
  network.on('Network.requestServedFromCache', ({ requestId }) => void cached.add(requestId));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength));
  await page.addInitScript(noteWhenUsable);
  await page.goto(path);
  const usableMs = await whenUsable(page);
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]'));
  const loaded = [...sizes].filter(([id, size]) => size > 0 && !cached.has(id)).map(([, size]) => size);
  await page.close();
  return { requests: loaded.length, bytes: loaded.reduce((sum, size) => sum + size, 0), usableMs };
}

async function whenUsable(page: Page): Promise<number> {
  const mark = await page.waitForFunction(() => performance.getEntriesByName('usable')[0]?.startTime);
  return (await mark.jsonValue()) ?? Number.NaN;
}

/** Runs in the page. */
function noteWhenUsable(): void {
  const getsClick = (control: Element) => {
    const { x, y, width, height } = control.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== null && control.contains(hit);
  };
  const look = () => {
    const controls = [...document.querySelectorAll('main :is(a, button, input)')];
    if (document.querySelector('h1')?.checkVisibility() && controls.some(getsClick)) performance.mark('usable');
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function loaded(opened: Opened[]): string[] {
  return [
    String(spreadOf(opened.map(({ requests }) => requests)).median),
    (spreadOf(opened.map(({ bytes }) => bytes)).median / 1_000).toFixed(1),
  ];
}

function usable(opened: Opened[]): string {
  return spreadOf(opened.map(({ usableMs }) => usableMs)).median.toFixed(0);
}
