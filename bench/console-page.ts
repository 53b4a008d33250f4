/**
 * `npm run bench:console-page [-- --runs 7]`: measures what a browser downloads when it first opens the console, and how long until the page is
 * usable, on this machine.
 *
 * Units: kB are 1,000 bytes on the wire, headers included; milliseconds are counted from the start of the navigation until the page shows its
 *        heading and a link, button or field of it can be clicked.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../scripts/chromium.ts';
import { signIn } from '../scripts/console-shots/sign-in.ts';
import { OWNER, openStage } from '../scripts/console-shots/stage.ts';
import { requirePrograms } from '../scripts/programs.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';

const PAGES = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'overview', path: '/', signedIn: true },
  { name: 'start', path: '/start', signedIn: true },
  { name: 'calls', path: '/calls', signedIn: true },
];

interface Opened {
  requests: number;
  /** Requests for scripts and styles. */
  codeRequests: number;
  bytes: number;
  /** Bytes of scripts and styles. */
  codeBytes: number;
  interactiveMs: number;
}

requirePrograms('chromium');
const { runs } = benchCommand('npm run bench:console-page --')
  .option('--runs <count>', 'how often each page is opened', wholeNumber, 7)
  .parse()
  .opts<{ runs: number }>();

console.log(describeMachine(machineFacts()));
const stage = await openStage();
const browser = await launchChromium();
try {
  const session = await sessionOf(browser);
  const rows: string[][] = [];
  for (const { name, path, signedIn } of PAGES) {
    const opened: Opened[] = [];
    // The first run fills the service's file cache and does not count.
    for (let run = 0; run <= runs; run++) {
      const context = await browser.newContext({ baseURL: stage.url, ...(signedIn && { storageState: session }) });
      const one = await open(await context.newPage(), path);
      if (run > 0) opened.push(one);
      await context.close();
    }
    rows.push([name, ...cells(opened)]);
  }
  console.log(
    formatTable(['cold open', 'requests', 'of JS and CSS', 'kB', 'kB of JS and CSS', 'ms until usable: median', 'min', 'max'], rows),
  );
} finally {
  await browser.close();
  await stage.close();
}

async function sessionOf(browser: Browser): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext({ baseURL: stage.url });
  await signIn(await context.newPage(), OWNER);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function open(page: Page, path: string): Promise<Opened> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const types = new Map<string, string>();
  const sizes = new Map<string, number>();
  network.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength));
  await page.addInitScript(noteWhenUsable);
  await page.goto(path);
  const interactiveMs = await page.waitForFunction(() => performance.getEntriesByName('usable')[0]?.startTime).then((ms) => ms.jsonValue());
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]'));
  const sum = (ids: string[]) => ids.reduce((bytes, id) => bytes + (sizes.get(id) ?? 0), 0);
  const ids = [...sizes.keys()];
  const code = ids.filter((id) => ['Script', 'Stylesheet'].includes(types.get(id) ?? ''));
  return {
    requests: ids.length,
    codeRequests: code.length,
    bytes: sum(ids),
    codeBytes: sum(code),
    interactiveMs: interactiveMs ?? Number.NaN,
  };
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

function cells(opened: Opened[]): string[] {
  const kilobytes = (values: number[]) => (spreadOf(values).median / 1_000).toFixed(1);
  const { min, median, max } = spreadOf(opened.map(({ interactiveMs }) => interactiveMs));
  return [
    String(spreadOf(opened.map(({ requests }) => requests)).median),
    String(spreadOf(opened.map(({ codeRequests }) => codeRequests)).median),
    kilobytes(opened.map(({ bytes }) => bytes)),
    kilobytes(opened.map(({ codeBytes }) => codeBytes)),
    ...[median, min, max].map((ms) => ms.toFixed(0)),
  ];
}
