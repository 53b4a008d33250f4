/** A console with something of everything that its pages can show, under names that leave no room. */
import type { Page } from 'playwright-core';
import { ADMIN_PATHS, type CreatedInvitation, type InvocationsPage } from '#sdk/protocol/admin';
import { NOT_EACH_FRAME } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';
import { everyPage } from './console-pages';

const LONG = 'inventory-of-all-warehouses-in-northern-europe';

export async function openUsedConsole() {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await callApi(page, ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' }, 'PATCH');
  await service.toolkit(LONG.slice(0, 30), (toolkit) => {
    toolkit.action(
      {
        action: 'find_articles_by_name',
        actionDescription: `Finds articles by name, in ${LONG}, and shows how many pieces are where`,
        payloadDescription: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', description: 'A part of the name' },
            where: { type: 'object', properties: { city: { type: 'string', enum: ['Malmö', 'Hamburg'] } } },
            sizes: { type: 'array', items: { type: 'integer', minimum: 1 } },
            exact: { type: 'boolean', default: false },
          },
        },
        annotations: { readOnly: true },
        payment: { amount: '123456789.123456' },
      },
      () => ({ articles: [] }),
    );
    toolkit.action({ action: 'do', actionDescription: 'Does it', payloadDescription: {}, annotations: { destructive: true } }, (context) =>
      context.error('BROKEN', `${LONG} ${LONG} is broken`, { data: { why: LONG } }),
    );
  });
  const [id = ''] = (await service.keys.list()).flatMap(({ toolkit }) => toolkit ?? []);
  await service.keys.create({ kind: 'agent', name: LONG, allow: { toolkits: [id], actions: [] }, callsPerMinute: 1_000 });
  const revoked = await service.keys.create({ kind: 'agent', name: 'former' });
  await service.keys.revoke(revoked.id);
  const tools = await service.tools(
    { sessionId: LONG, userId: LONG },
    { name: `${LONG}-agent`, budget: { perCall: '999999999', perDay: '999999999999.999999' } },
  );
  for (const query of ['articles by name', 'nothing of the kind', LONG]) await tools.search(query);
  await tools.invoke(`${id}__find_articles_by_name`, { name: 'bell' });
  await tools.invoke(`${id}__do`, {}).catch(() => {});
  await tools.reportUsage({ model: LONG, inputTokens: 123_456_789, outputTokens: 987_654 });
  await tools.flushUsage();
  const { token } = await callApi<CreatedInvitation>(page, ADMIN_PATHS.invitations, { role: 'member', name: LONG });
  const { invocations } = await callApi<InvocationsPage>(page, ADMIN_PATHS.invocations);
  const pages = everyPage({
    action: `${id}__find_articles_by_name`,
    toolkit: id,
    call: invocations[0]?.id ?? '',
    session: LONG,
    user: LONG,
  });
  return { service, owner, pages, joinPath: `/join#${token}` };
}

/** Nothing of the page is on its way any more. */
export async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .mantine-Skeleton-root'), undefined, NOT_EACH_FRAME);
}

/** Follows a link to a page of the console. Loads the page where no link leads: loading the console takes longer than most looks at it. */
export async function visit(page: Page, path: string): Promise<void> {
  const isFollowed = await page.evaluate((next) => {
    const route = (pathname: string) => pathname.split(/[/?]/)[1];
    const heading = document.querySelector('#main h1');
    const routes = [location.pathname, next].map(route);
    // The playground and the consent page are documents of their own. Two pages of one route may share their heading.
    const isOwnDocument = routes.includes('playground') || routes.includes('oauth');
    if (heading === null || isOwnDocument || routes[0] === routes[1]) return false;
    heading.setAttribute('data-left', '');
    history.pushState(null, '', next);
    return true;
  }, path);
  if (isFollowed) await page.locator('h1:not([data-left])').waitFor();
  else await page.goto(path);
  await shown(page);
}
