/** A conversation of the playground, as its page makes it: the tokens that its model says are in the records of its session. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type SessionPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { PlaygroundConversation } from '../../console/src/pages/playground/conversation/conversation';
import { startFakeModel } from '../support/fake-model';

test('each turn is reported, the last one too, and no report is a step of the trace', async () => {
  const { owner, ...service } = await startConsole();
  const { id: keyId } = await service.keys.create({ kind: 'agent', name: 'painter' });
  const model = await startFakeModel(({ turns }) =>
    turns.length === 0 ? { calls: [{ name: 'search_services', arguments: { query: 'draw' } }] } : { content: 'No action draws' },
  );
  const sent: string[] = [];
  const send = globalThis.fetch;
  vi.stubGlobal('location', new URL(service.url));
  // The requests of a page have its address and its cookie.
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('/')) return send(url, init);
    sent.push(url);
    const headers = { ...(init.headers as Record<string, string>), cookie: owner.cookie, origin: service.url };
    return send(service.url + url, { ...init, headers });
  });
  onTestFinished(() => void vi.unstubAllGlobals());

  const own = { kind: 'own', url: model.url, key: 'sk-mine', model: 'fake-1' } as const;
  const setup = { system: '', budget: '1', askBeforeDestructive: true, code: false, seesImages: false };
  const conversation = new PlaygroundConversation({ ...setup, keyId, model: own });
  await conversation.send('draw a cat');
  const { status, steps, totals } = conversation.state;
  expect([status, steps.map(({ kind }) => kind)]).toEqual(['idle', ['model', 'search', 'model']]);
  expect(totals.input).toBeGreaterThan(0);
  await vi.waitFor(
    async () => {
      const { sums, models } = await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/${conversation.session}`);
      const { input, cached, output } = totals;
      expect(sums).toMatchObject([{ tokens: { input, cached, output } }]);
      expect(models).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
  expect(sent).toEqual([`${PATHS.keys}/${keyId}/search`, `${PATHS.keys}/${keyId}/usage`]);
});
