/** The profile of a toolkit for people: README, icon, homepage, category and version. */
import { Toolkit, type ToolkitUpdate } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type ToolkitReport, type ToolkitReportDetail, type ToolkitReportsPage } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { PNG } from '../../../test/support/vectors';

const REPORTS = `${ADMIN_PATHS.reports}/toolkits`;
const ICON = `data:image/png;base64,${PNG}`;
const PROFILE = {
  readme: '# Weather\n\nOf *all* cities 🌤️',
  icon: ICON,
  homepage: 'https://example.com/',
  category: 'data',
  version: '1.4.0',
};

type Answer = { result?: { toolkit: { name: string } }; error?: { message: string; data: { code: string } } };

async function connect() {
  const { owner, ...service } = await startConsole();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const toolkit = await RawToolkit.connect(service, key);
  const update = async (details: object) => (await toolkit.request('update', details)) as unknown as Answer;
  const profile = async () => (await owner.json<ToolkitReportDetail>('GET', `${REPORTS}/raw`)).profile;
  return { owner, service, key, toolkit, update, profile };
}

test('comes with the registration or an update, is kept in parts, and null removes a part', async () => {
  const { owner, toolkit, update, profile, service, key } = await connect();
  await toolkit.register([], { toolkit: PROFILE });
  expect(await profile()).toEqual({ ...PROFILE, iconType: 'image/png', changedAt: expect.any(String) });
  const listed = (await owner.json<ToolkitReportsPage>('GET', REPORTS)).toolkits[0] as ToolkitReport;
  const { readme, icon, ...short } = PROFILE;
  expect(listed.profile).toEqual({ ...short, iconType: 'image/png', changedAt: expect.any(String) });

  expect((await update({ version: '2', icon: null, description: 'Words' })).result?.toolkit).toMatchObject({ description: 'Words' });
  const changed = { ...short, readme, version: '2', changedAt: expect.any(String) };
  expect(await profile()).toEqual(changed);
  // A process that says nothing of it, such as one of an older SDK, leaves the profile as it is.
  const older = await RawToolkit.connect(service, key);
  await older.register([], { instance: 'another-instance' });
  expect(await profile()).toEqual(changed);
});

test('changes nothing, and is not counted as a change, where nothing is different', async () => {
  const { toolkit, update, profile } = await connect();
  await toolkit.register([], { toolkit: PROFILE });
  const before = await profile();
  for (let time = 0; time < 100; time++) expect(await update(PROFILE)).toHaveProperty('result');
  expect(await profile()).toEqual(before);
});

test.each<[string, object, RegExp]>([
  ['a README of 1 MB', { readme: 'a'.repeat(1_000_000) }, /readme: it has 1000000 bytes; at most 65536 are allowed, shorten it/],
  [
    'an icon that is an SVG',
    { icon: 'data:image/svg+xml;base64,PHN2Zz4=' },
    /icon: an SVG can hold scripts; convert it to PNG, JPEG or WebP/,
  ],
  [
    'an SVG with a script that is named a PNG',
    { icon: `data:image/png;base64,${btoa('<svg onload="alert(1)"></svg>')}` },
    /icon: it is named image\/png, but its bytes are none of PNG, JPEG and WebP; convert it to one/,
  ],
  ['a homepage that is a script', { homepage: 'javascript:alert(1)' }, /homepage: .*only https:\/\/ and http:\/\/ are allowed/],
  [
    'an unknown category',
    { category: 'developers' },
    /category: "developers" is not a category\. Did you mean "developer"\? The categories: communication,.* other/,
  ],
  ['a control character', { version: '1\u001b[31m' }, /version: it has the control character U\+001B; remove it/],
  ['a number', { readme: 7 }, /readme: it is a text, or null to remove it/],
])('%s is refused with advice, and nothing of the update is kept', async (_what, bad, message) => {
  const { toolkit, update, profile, owner } = await connect();
  await toolkit.register([], { toolkit: PROFILE });
  const before = await profile();
  const refused = await update({ name: 'Renamed', homepage: 'https://elsewhere.example/', ...bad });
  expect(refused.error).toMatchObject({ message: expect.stringMatching(message), data: { code: 'INVALID_REQUEST' } });
  expect(await profile()).toEqual(before);
  expect((await owner.json<ToolkitReport>('GET', `${REPORTS}/raw`)).name).toBe('raw');
  expect((await update({ version: '3' })).result).toBeDefined();
});

test('of the SDK is sent with the registration, also from an update that nothing awaits, and updated later', async () => {
  const { owner, ...service } = await startConsole();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const toolkit = new Toolkit({ apiKey: key, baseUrl: service.url, onStatus: () => {} });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.updateToolkit({ name: 'Weather', readme: PROFILE.readme, icon: Buffer.from(PNG, 'base64') });
  void toolkit.updateToolkit({ homepage: 'https://example.com/', category: 'data', version: '1' });
  void toolkit.updateToolkit({ version: '1.4.0' });
  void toolkit.run();
  await toolkit.ready;
  const report = () => owner.json<ToolkitReportDetail>('GET', `${REPORTS}/raw`);
  expect(await report()).toMatchObject({ name: 'Weather', profile: PROFILE });
  await toolkit.updateToolkit({ readme: null, icon: null });
  const { profile } = await report();
  expect(profile).not.toHaveProperty('readme');
  expect(profile).toMatchObject({ version: '1.4.0' });
});

test.each<[ToolkitUpdate, string]>([
  [
    { readme: 'a'.repeat(65_537) },
    'updateToolkit({ readme }): it has 65537 bytes; at most 65536 are allowed, shorten it and link to the rest',
  ],
  [{ icon: Buffer.from('<svg></svg>') }, 'updateToolkit({ icon }): its bytes are none of PNG, JPEG and WebP; convert it to one'],
  [{ icon: Buffer.alloc(65_537) }, 'updateToolkit({ icon }): it has 65537 bytes; at most 65536 are allowed, 128 × 128 pixels are enough'],
  [
    { homepage: 'javascript:alert(1)' },
    'updateToolkit({ homepage }): it is an address such as "https://example.com/weather"; only https:// and http:// are allowed',
  ],
])('the SDK refuses %j before it is sent', async (update, message) => {
  const toolkit = new Toolkit({ apiKey: 'svc_toolkit_x' });
  await expect(toolkit.updateToolkit({ name: 'Weather', ...update })).rejects.toMatchObject({ code: 'INVALID_REQUEST', message });
});

test('ends with its toolkit', async () => {
  const { owner, service, toolkit, profile } = await connect();
  await toolkit.register([], { toolkit: PROFILE });
  await owner.json('DELETE', `${REPORTS}/raw`);
  const next = await RawToolkit.connect(service);
  await next.register([]);
  expect(await profile()).toBeUndefined();
});
