// @module-tag chromium
/** "Connect a client": from the pages that lead to it, with links and commands for this service. */
import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console';

test('each client gets the address of this service, and of a toolkit the address with its actions as tools', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'forecast', actionDescription: 'Gives the forecast of a city', payloadDescription: {} }, () => 'sun');
  });
  const expectAddress = async (name: string, url: string) => {
    const cursor = new URL((await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')) ?? '');
    expect(cursor.searchParams.get('name')).toBe(name);
    expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url });
    for (const link of ['Add to VS Code', 'VS Code Insiders']) {
      const href = await page.getByRole('link', { name: link, exact: true }).getAttribute('href');
      expect(JSON.parse(decodeURIComponent(href?.split('?')[1] ?? ''))).toEqual({ name, type: 'http', url });
    }
    for (const client of ['Claude Code', 'Codex'])
      expect(await page.getByRole('region', { name: `Command for ${client}` }).textContent()).toContain(url);
    for (const client of ['any MCP client', 'Claude', 'ChatGPT'])
      expect(await page.getByLabel(`Address for ${client}`, { exact: true }).inputValue()).toBe(url);
  };

  await page.goto('/start');
  await page.getByRole('main').getByRole('link', { name: 'Connect a client' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
  await expectAddress('svc', `${service.url}/mcp`);
  await page.getByText('Only clients on this computer can reach this address').waitFor();
  await page.getByText('ChatGPT cannot reach this address.').waitFor();

  await page.goto('/toolkits/weather');
  await page.getByRole('main').getByRole('link', { name: 'Connect a client' }).click();
  await page.getByRole('link', { name: 'Without them' }).waitFor();
  await expectAddress('svc-weather', `${service.url}/mcp?staticToolkits=weather`);
});
