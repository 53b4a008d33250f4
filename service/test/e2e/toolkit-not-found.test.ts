import { SvcError } from 'svc-sdk';
import { expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';

/** The error for a key with this allow list about a toolkit that it does not reach. */
async function messageOf(service: TestService, wanted: string, toolkits?: string[]): Promise<string> {
  const tools = await service.tools({}, toolkits && { allow: { toolkits, actions: [] } });
  const error = await tools.getTools({ dynamicTools: false, staticToolkits: [wanted] }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'TOOLKIT_NOT_FOUND' });
  return SvcError.is(error) ? error.message : '';
}

test('TOOLKIT_NOT_FOUND names the toolkits that the key reaches, ten of many, and no other', async () => {
  const service = await startService();
  expect(await messageOf(service, 'weather')).toContain('There is no toolkit "weather"; this key reaches no toolkit yet. ');
  const names = Array.from({ length: 12 }, (_, index) => `kit-${String.fromCharCode(97 + index)}`);
  for (const name of names) await service.toolkit(name, (toolkit) => toolkit.action({ action: 'run', actionDescription: 'Runs' }, () => 1));
  expect(await messageOf(service, 'weather')).toContain(`this key reaches ${names.slice(0, 10).join(', ')} and 2 more. `);
  expect(await messageOf(service, 'kit-c', ['kit-a', 'kit-b'])).toContain('this key reaches kit-a, kit-b. ');
  expect(await messageOf(service, 'kit-a', ['gone'])).toContain('this key reaches no toolkit yet. ');
});
