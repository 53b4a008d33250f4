// @module-tag chromium
/** An owner adds toolkits of MCP servers and OpenAPI documents, and approves what changed at their source. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { openConsole } from '../../../test/support/console';
import { openImportingConsole } from '../support/importing-console';

const SERVER = fileURLToPath(new URL('../../../test/support/faulty-mcp-server.mjs', import.meta.url));
const SMALL_PHONE = { width: 360, height: 740 };

const operation = (operationId: string, tag: string, parts: object = {}) => ({
  operationId,
  tags: [tag],
  summary: `Reads the ${operationId} of a shop by their date`,
  responses: { 200: { description: 'ok' } },
  ...parts,
});
const ORDERS = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } };
const DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Tea shop', version: '1', description: 'Orders and customers of a tea business.' },
  servers: [{ url: 'https://shop.example/v1' }],
  paths: {
    '/orders': {
      get: operation('list_orders', 'orders', {
        parameters: [{ name: 'since', in: 'query', description: 'First day', schema: { type: 'string', format: 'date' } }],
        responses: { 200: { content: { 'application/json': { schema: ORDERS } } } },
      }),
      put: operation('replace_orders', 'orders', {
        requestBody: { required: true, content: { 'application/msgpack': { schema: { type: 'string' } } } },
      }),
    },
    '/customers': {
      get: operation('list_customers', 'customers'),
      delete: operation('delete_customers', 'customers', { servers: [{ url: 'https://shop.example/admin' }] }),
    },
  },
});

async function openForm(page: Page, source: string, id: string) {
  await page.goto('/toolkits');
  await page.getByRole('link', { name: 'Add MCP or OpenAPI' }).click();
  await page.getByRole('radio', { name: source }).check();
  await page.getByLabel('Toolkit id').fill(id);
}

test('an owner adds an uploaded OpenAPI document by its tags, and agents find its actions', async () => {
  const service = await openImportingConsole();
  const { page } = await service.owner();
  await openForm(page, 'OpenAPI document, from a file', 'shop');
  await page.locator('input[type=file]').setInputFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(DOCUMENT) });
  await page.getByRole('button', { name: 'Preview' }).click();
  const seen = page.getByRole('region', { name: 'Preview', exact: true });
  await seen.getByText('Tea shop, 3 actions').waitFor();
  const targets = seen.getByRole('list', { name: 'Where calls go' });
  expect(await targets.getByRole('listitem').allTextContents()).toEqual([
    'https://shop.example/v1, 2 actions, without a credential',
    'https://shop.example/admin, 1 action, without a credential',
  ]);
  await seen.getByRole('button', { name: /its body is application.msgpack/ }).click();
  await seen.getByText('PUT /orders').waitFor();
  await seen.getByRole('button', { name: /list_orders/ }).click();
  await seen.getByRole('table', { name: 'Parameters' }).getByText('First day').waitFor();
  await seen.getByText('Result: {id:int}[]').waitFor();
  await expectAccessibleEverywhere(page, SMALL_PHONE);

  await seen.getByRole('textbox', { name: 'Search these actions' }).fill('customers');
  await seen.getByText('2 of 3 actions').waitFor();
  await seen.getByText('orders 2').click();
  await seen.getByText('update the preview before you add it').waitFor();
  expect(await seen.getByRole('button', { name: /^Add/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Update the preview' }).click();
  await seen.getByRole('button', { name: 'Add 1 action' }).click();
  await page.waitForURL('**/toolkits/shop');
  await page.getByRole('region', { name: 'Imported' }).getByText('shop.openapi.json').waitFor();
  await page.getByText('1 process').first().waitFor();
  expect(readFileSync(join(service.folder, 'toolkits.yaml'), 'utf8')).toContain('tag:orders');
  expect(readFileSync(join(service.folder, 'toolkits.yaml'), 'utf8')).toContain('baseUrl: https://shop.example/v1');
  expect((await (await service.tools()).search('orders of a shop')).actions.map(({ action }) => action)).toEqual(['shop__list_orders']);
});

test('an owner adds an API whose calls act with the accounts of their users', async () => {
  const service = await openImportingConsole();
  const { page } = await service.owner();
  await openForm(page, 'OpenAPI document, from a file', 'shop');
  const document = {
    ...JSON.parse(DOCUMENT),
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
  const buffer = Buffer.from(JSON.stringify(document));
  await page.locator('input[type=file]').setInputFiles({ name: 'shop.json', mimeType: 'application/json', buffer });
  await page.getByRole('combobox', { name: 'Account of its calls' }).click();
  await page.getByRole('option', { name: 'Each user’s own' }).click();
  expect(await page.getByRole('combobox', { name: 'Credential' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Preview' }).click();
  const seen = page.getByRole('region', { name: 'Preview', exact: true });
  await seen.getByText('Each user connects their own account. Token (bearer).').waitFor();
  await expectAccessibleEverywhere(page, SMALL_PHONE);
  await seen.getByRole('button', { name: 'Add 3 actions' }).click();
  await page.waitForURL('**/toolkits/shop');
  expect(readFileSync(join(service.folder, 'toolkits.yaml'), 'utf8')).toContain('auth: user');
  await page.getByRole('region', { name: 'Account', exact: true }).getByText('Token (bearer)').waitFor();
});

test('an owner adds an MCP server by its command, and approves a change of it after looking at the difference', async () => {
  const service = await openImportingConsole();
  const versionFile = join(service.folder, 'version');
  writeFileSync(versionFile, '1');
  const { page } = await service.owner();
  await openForm(page, 'MCP server, by command', 'faulty');
  await page.getByRole('textbox', { name: 'Command' }).fill(`node ${SERVER} "--version-file=${versionFile}"`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: /^Add \d+ actions$/ }).click();
  await page.waitForURL('**/toolkits/faulty');
  await page.getByText('1 process').first().waitFor();

  await (await service.tools()).invoke('faulty__change', {});
  await page.goto('/toolkits');
  const notice = page.getByRole('alert').filter({ hasText: 'Imported toolkits need your attention' });
  await expect
    .poll(async () => {
      await page.reload();
      return notice.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  await notice.getByText('1 change waits for approval').waitFor();
  await expectAccessibleEverywhere(page, SMALL_PHONE);
  await notice.getByRole('link', { name: 'faulty' }).click();
  const changes = page.getByRole('region', { name: 'Changes of faulty' });
  await changes.waitFor();
  expect(await changes.locator('.diff-added').allInnerTexts()).toEqual([expect.stringContaining('sends a copy to https://example.com')]);
  await expectAccessibleEverywhere(page, SMALL_PHONE);
  await page.getByRole('button', { name: 'Approve 1 change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await changes.waitFor({ state: 'detached' });
  await expect.poll(async () => JSON.stringify(await (await service.tools()).search('faulty__echo'))).toContain('sends a copy');
});

test('a secret in the form is rejected, and the error of a server that does not start is shown', async () => {
  const service = await openImportingConsole();
  const { page, mayBeRefused } = await service.owner();
  mayBeRefused(400, /^\/v1\/imports\/preview$/);
  await openForm(page, 'MCP server, by URL', 'linear');
  await page.getByLabel('URL of the server').fill('https://mcp.example/mcp');
  await page.getByLabel('Headers').fill('Authorization: Bearer abcdefgh');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page
    .getByRole('alert')
    .getByText(/mcp\.headers\.Authorization: write \$\{NAME\}/)
    .waitFor();

  await page.getByRole('radio', { name: 'MCP server, by command' }).check();
  await page.getByRole('textbox', { name: 'Command' }).fill(`node -e "console.error('no licence'); process.exit(1)"`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page
    .getByRole('alert')
    .getByText(/no licence/)
    .waitFor();
});

test('a service without an importer shows the command and the lines to copy, but not to members', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await openForm(page, 'OpenAPI document, by URL', 'github');
  await page.getByText('This service adds no toolkits itself').waitFor();
  await page.getByLabel('URL of the document').fill('https://api.example/openapi.json');
  await page.getByRole('combobox', { name: 'Credential' }).click();
  await page.getByRole('option', { name: 'Bearer token' }).click();
  await page.getByLabel('Its variable').fill('hunter2');
  await page.getByRole('button', { name: 'Show the command' }).click();
  await page.getByText(/^Write .* and set NAME/).waitFor();
  await page.getByLabel('Its variable').fill(`\${GITHUB_TOKEN}`);
  await page.getByRole('button', { name: 'Show the command' }).click();
  const command = page.getByRole('region', { name: 'Command', exact: true });
  expect(await command.innerText()).toBe(
    `npx svc-service add openapi github https://api.example/openapi.json --auth 'bearer \${GITHUB_TOKEN}'`,
  );
  expect(await page.getByRole('region', { name: 'Lines of toolkits.yaml' }).innerText()).toContain(`bearer: "\${GITHUB_TOKEN}"`);
  await expectAccessibleEverywhere(page, SMALL_PHONE);

  const member = await service.member(owner);
  await member.page.goto('/toolkits');
  await member.page.getByRole('heading', { level: 1, name: 'Toolkits' }).waitFor();
  expect(await member.page.getByRole('link', { name: 'Add MCP or OpenAPI' }).count()).toBe(0);
  await member.page.goto('/add-toolkit');
  await member.page.getByText('Only owners can see this').waitFor();
});
