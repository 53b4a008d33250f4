/** The console as the service sends it, with people who have accounts. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceOptions } from 'svc-service';
import { onTestFinished } from 'vitest';
import { ADMIN_PATHS, type CreatedInvitation, type CreateInvitationRequest } from '../../src/protocol/admin';
import { openVisitor, type Visitor } from './browser';
import { makeFolder } from './folder';
import { startService, type TestService } from './service';

export interface Person {
  name: string;
  email: string;
  password: string;
}

export const OWNER: Person = { name: 'Maya Okafor', email: 'maya@shop.example', password: 'the quick brown bicycle' };
export const MEMBER: Person = { name: 'Jonas Lindqvist', email: 'jonas@shop.example', password: 'a slow purple tandem' };

export interface TestConsole extends TestService {
  /** A visitor who is not signed in. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor with the first account, signed in. No page of the console is open yet. */
  owner(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor whom the owner invited, signed in. No page of the console is open yet. */
  member(owner: Visitor, options?: BrowserContextOptions): Promise<Visitor>;
}

export async function openConsole(options: ServiceOptions = {}): Promise<TestConsole> {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startService({ data: folder.path, console: true, ...options });
  const visitor = (context: BrowserContextOptions = {}) => openVisitor({ baseURL: service.url, ...context });
  return {
    ...service,
    visitor,
    async owner(context) {
      const owner = await visitor(context);
      await accept(owner.page, new URL((await service.setupLink()) ?? '').hash.slice(1), OWNER);
      return owner;
    },
    async member(owner, context) {
      const member = await visitor(context);
      const { token } = await callApi<CreatedInvitation>(owner.page, ADMIN_PATHS.invitations, {
        role: 'member',
      } satisfies CreateInvitationRequest);
      await accept(member.page, token, MEMBER);
      return member;
    },
  };
}

/** Makes an account without the console, whose pages for it cost more time than most tests. The picture has the origin that the API requires. */
async function accept(page: Page, token: string, person: Person): Promise<void> {
  await page.goto('/icon.svg');
  await callApi(page, `${ADMIN_PATHS.invitations}/accept`, { token, ...person });
}

/** Makes an account with a one-time link, as people do. */
export async function join(page: Page, link: string, { name, email, password }: Person): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/start');
}

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/sign-in');
  await fillSignIn(page, { email, password });
  await page.getByRole('button', { name: `Account of` }).waitFor();
}

export async function fillSignIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A request that the page itself could send to the API, with the session of its user. Throws for a refusal. */
export async function callApi<Answer>(
  page: Page,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const { status, text } = await askApi(page, path, body, method);
  if (status >= 400) throw new Error(`${method} ${path} gave ${status}: ${text}`);
  return JSON.parse(text || 'null') as Answer;
}

export function askApi(
  page: Page,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async (request) => {
      const answer = await fetch(request.path, {
        method: request.method,
        ...(request.body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    { path, body, method },
  );
}
