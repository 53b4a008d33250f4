/** Imported toolkits have the version, the homepage and the icon of their source, where their owner has set none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolkit } from 'svc-sdk';
import { importToolkits, mcpToolkit, openapiToolkit, pinsOf } from 'svc-service/import';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type ToolkitReportDetail } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { PNG } from '../../../test/support/vectors';
import { openMcp } from '../../import/mcp/open-mcp';
import { scripted, tool } from '../support/scripted-mcp';
import { documentOf } from '../unit/import/documents';

const ICON = `data:image/png;base64,${PNG}`;
const SCRIPT = `data:image/png;base64,${btoa('<svg onload="alert(1)"></svg>')}`;

async function openStage() {
  const { owner, ...service } = await startConsole();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const start = async (toolkit: Toolkit) => {
    onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
    void toolkit.run();
    await toolkit.ready;
  };
  const profile = async (id = 'shop') => {
    const { changedAt: _, ...rest } = (await owner.json<ToolkitReportDetail>('GET', `${ADMIN_PATHS.reports}/toolkits/${id}`)).profile ?? {};
    return rest;
  };
  return { service, start, profile, options: { toolkitId: 'shop', toolkit: { apiKey: key, baseUrl: service.url } } };
}

function documentWith(info: object, parts: object = {}) {
  return documentOf({ '/pets': { get: { operationId: 'listPets' } } }, { info: { title: 'Shop', ...info }, ...parts });
}

test('a document gives version, documentation and logo, and its owner replaces or removes them', async () => {
  const { start, profile, options } = await openStage();
  const document = documentWith({ version: '1.4.0', 'x-logo': { url: ICON } }, { externalDocs: { url: 'https://docs.example.com/' } });
  const toolkit = await openapiToolkit({ document, baseUrl: 'http://127.0.0.1:9', ...options });
  await start(toolkit);
  await vi.waitFor(async () =>
    expect(await profile()).toEqual({ version: '1.4.0', homepage: 'https://docs.example.com/', icon: ICON, iconType: 'image/png' }),
  );
  await toolkit.updateToolkit({ homepage: 'https://example.com/mine', icon: null, readme: '# Mine' });
  expect(await profile()).toEqual({ version: '1.4.0', homepage: 'https://example.com/mine', readme: '# Mine' });
});

test('a document that means ill gives nothing, and is served', async () => {
  const { service, start, profile, options } = await openStage();
  const info = { version: 'x'.repeat(100), contact: { url: 'javascript:alert(1)' }, 'x-logo': { url: SCRIPT } };
  await start(await openapiToolkit({ document: documentWith(info), baseUrl: 'http://127.0.0.1:9', ...options }));
  expect((await (await service.tools()).search('list pets')).actions[0]).toMatchObject({ action: 'shop__listPets' });
  expect(await profile()).toEqual({});
});

test('an MCP server says them when it starts, which may be at the first call, and never over those of its owner', async () => {
  const { service, start, profile, options } = await openStage();
  const info = { name: 'shop', version: '2.0.0', websiteUrl: 'https://shop.example.com/', icons: [{ src: SCRIPT }, { src: ICON }] };
  const server = scripted({ info, tools: [tool('buy')] });
  const source = openMcp(server);
  const pins = pinsOf({ toolkit: await source.details(), actions: await source.listActions() });
  await source.close();

  const toolkit = await mcpToolkit({ server, pins, ...options });
  await toolkit.updateToolkit({ homepage: 'https://example.com/mine' });
  await start(toolkit);
  expect(await profile()).toEqual({ homepage: 'https://example.com/mine' });
  await (await service.tools()).invoke('shop__buy');
  await vi.waitFor(async () =>
    expect(await profile()).toEqual({ version: '2.0.0', homepage: 'https://example.com/mine', icon: ICON, iconType: 'image/png' }),
  );
});

test('the entries of a toolkits.yaml have them too', async () => {
  const { service, profile } = await openStage();
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  writeFileSync(join(path, 'pets.json'), JSON.stringify(documentWith({ version: '3.1.0' })));
  const pets = { openapi: { file: './pets.json', baseUrl: 'http://127.0.0.1:9' }, onChange: 'accept' };
  const mail = { mcp: scripted({ info: { name: 'mail', version: '0.9.0' }, tools: [tool('send')] }), onChange: 'accept' };
  writeFileSync(join(path, 'toolkits.yaml'), JSON.stringify({ toolkits: { pets, mail } }));
  const keyOf = async (name: string) => (await service.keys.create({ kind: 'toolkit', name })).key;
  const running = await importToolkits({ file: join(path, 'toolkits.yaml'), baseUrl: service.url, keyOf });
  onTestFinished(() => running.stop());
  await vi.waitFor(
    async () => expect([await profile('pets'), await profile('mail')]).toEqual([{ version: '3.1.0' }, { version: '0.9.0' }]),
    20_000,
  );
});
