/** Every page of the console, in a state that is worth a picture. */
import type { Page } from 'playwright-core';
import { giveAuthenticator } from '../chromium.ts';
import { showFixedTimes } from './questions.ts';
import { SESSION, type Stage } from './stage.ts';

export interface ShownPage {
  /** The name of the picture: `docs/images/console/<name>.png`. */
  name: string;
  path(stage: Stage): string;
  /** The viewer. Default: the owner. */
  seenBy?: 'stranger' | 'newcomer';
  /** Their actions on it before. */
  prepare?(page: Page, stage: Stage): Promise<void>;
}

export const PAGES: ShownPage[] = [
  { name: 'sign-in', path: () => '/sign-in', seenBy: 'stranger' },
  { name: 'join', path: ({ joinToken }) => `/join#${joinToken}`, seenBy: 'stranger' },
  { name: 'overview', path: () => '/' },
  { name: 'toolkits', path: () => '/toolkits' },
  { name: 'toolkit', path: () => '/toolkits/warehouse' },
  { name: 'demand', path: () => '/demand' },
  { name: 'calls', path: () => '/calls' },
  { name: 'call', path: ({ failedCall }) => `/calls/${failedCall}` },
  { name: 'session', path: () => `/sessions/${encodeURIComponent(SESSION)}` },
  { name: 'sessions', path: () => '/sessions' },
  { name: 'users', path: () => '/users' },
  { name: 'user', path: () => '/users/cus_4821' },
  { name: 'alerts', path: () => '/alerts' },
  { name: 'system', path: () => '/system' },
  { name: 'playground', path: () => '/playground' },
  { name: 'catalogue', path: () => '/catalogue' },
  { name: 'catalogue-toolkit', path: () => '/catalogue/warehouse' },
  { name: 'keys', path: () => '/keys' },
  { name: 'spending', path: () => '/spending' },
  { name: 'people', path: () => '/people' },
  { name: 'audit', path: () => '/audit' },
  { name: 'settings', path: () => '/settings' },
  { name: 'consent', path: ({ consentPath }) => consentPath, prepare: (page) => page.waitForFunction(isAllowable).then(() => undefined) },
  { name: 'connect', path: () => '/connect' },
  { name: 'account', path: () => '/account', prepare: addPasskey },
  // Late: their call and their search would be among those of others.
  { name: 'action', path: () => '/actions/orders__change_address', prepare: tryAction },
  { name: 'search', path: () => '/search?query=where%20is%20my%20parcel' },
  // The last ones: their toolkits, their key and the number of their calls that wait would be in the pictures of others.
  { name: 'connections', path: () => '/connections', prepare: connectAccounts },
  { name: 'approvals', path: () => '/approvals', prepare: askAndWait },
  { name: 'approval', path: () => '/approvals', prepare: openApproval },
  { name: 'rules', path: () => '/keys', prepare: openRules },
  { name: 'start', path: () => '/start', seenBy: 'newcomer', prepare: takeFirstSteps },
];

/** Within the page. */
function isAllowable(): boolean {
  return document.querySelector('button[type="submit"]:enabled') !== null;
}

/** Within the page. */
function isApprovable(): boolean {
  return document.querySelectorAll('[aria-label="Decision"] button:enabled').length === 2;
}

async function tryAction(page: Page): Promise<void> {
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('button', { name: 'Open the form' }).click();
  for (const [label, text] of [
    ['order', 'R-20931'],
    ['name', 'Ingrid Falk'],
    ['street', 'Storgatan 12'],
    ['postal_code', '211 42'],
    ['city', 'Malm\u00f6'],
  ] as const)
    await trial.getByLabel(new RegExp(`^${label}`)).fill(text);
  await trial.getByRole('combobox', { name: /^country/ }).click();
  await page.getByRole('option', { name: 'SE' }).click();
  await trial.getByLabel('notify').check();
  await trial.getByRole('button', { name: 'Run' }).click();
  await trial.getByText('ok', { exact: true }).waitFor();
  // It really ran, and took what it took.
  await trial.getByText(/^[\d.]+ m?s$/).evaluate((duration) => {
    duration.textContent = '131 ms';
  });
}

async function addPasskey(page: Page): Promise<void> {
  await giveAuthenticator(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop, fingerprint');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function connectAccounts(page: Page, stage: Stage): Promise<void> {
  await stage.connectAccounts();
  await page.reload();
  await page.getByRole('table', { name: 'Connected accounts' }).waitFor();
}

async function askAndWait(page: Page, stage: Stage): Promise<void> {
  await stage.asked();
  await showFixedTimes(page);
  await page.getByRole('table', { name: 'Approvals' }).waitFor();
}

async function openApproval(page: Page, stage: Stage): Promise<void> {
  const { approval } = await stage.asked();
  await showFixedTimes(page);
  await page.goto(`/approvals/${approval}`);
  await page.getByRole('region', { name: 'Payload as JSON' }).waitFor();
  await page.waitForFunction(isApprovable);
}

async function openRules(page: Page, stage: Stage): Promise<void> {
  const { key } = await stage.asked();
  await page.goto(`/keys?id=${key.id}&form=rules`);
  await page.getByRole('dialog').getByRole('group', { name: 'Rule 3' }).waitFor();
}

async function takeFirstSteps(page: Page, stage: Stage): Promise<void> {
  await page.getByRole('button', { name: 'Create toolkit key' }).click();
  const secret = page.getByRole('textbox', { name: /^Key weather/ });
  await secret.waitFor();
  await stage.runWeather(await secret.inputValue());
  await page.getByRole('status').getByText('connected').waitFor();
  await page.getByRole('button', { name: 'Create agent key' }).click();
  await page.getByRole('status').getByText('Waiting for the first call').waitFor();
}
