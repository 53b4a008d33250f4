/** The service's side of the playground: the policy of its page, the operator's model, and the wish that becomes demand. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type SearchReportsPage } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { startFakeModel } from '../support/fake-model';

const MODEL_KEY = 'sk-of-the-operator';
const TURN = { messages: [{ role: 'user', content: 'hello' }] };

test("the operator's model answers in a stream, for those it is open to, and its key stays in the service", async () => {
  const model = await startFakeModel(() => ({ content: 'good morning' }));
  const playground = { modelUrl: model.url, model: 'house-model', modelKey: MODEL_KEY };
  const { owner, join } = await startConsole({ console: { playground } });
  const mia = await join('mia');
  expect(await owner.json('GET', ADMIN_PATHS.playground)).toEqual({ code: false, model: 'house-model' });
  expect(await mia.json('GET', ADMIN_PATHS.playground)).toEqual({ code: false });
  await expect(mia.json('POST', `${ADMIN_PATHS.playground}/model`, TURN)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

  const answer = await owner.ask('POST', `${ADMIN_PATHS.playground}/model`, TURN);
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const pieces = (await answer.text()).matchAll(/"content":"([^"]*)"/g);
  expect([...pieces].map(([, piece]) => piece).join('')).toBe('good morning');
  expect(model.requests).toMatchObject([{ authorization: `Bearer ${MODEL_KEY}`, cookie: undefined }]);
  expect(JSON.parse(model.requests[0]?.body ?? '')).toMatchObject({ model: 'house-model', stream: true });

  const refusal = async (status: number, type: string, body: string) => {
    model.failOnce((response) => response.writeHead(status, { 'content-type': type }).end(body));
    return (await owner.ask('POST', `${ADMIN_PATHS.playground}/model`, TURN)).text();
  };
  const quoted = JSON.stringify({ error: { message: `no such key: ${MODEL_KEY}` } });
  const [refused, failed] = [await refusal(401, 'application/json', quoted), await refusal(500, 'application/json', quoted)];
  expect(refused).toContain('SVC_PLAYGROUND_MODEL_KEY');
  expect(failed).toContain('answered 500: no such key: [key]');
  expect(refused + failed).not.toContain(MODEL_KEY);
  expect(await refusal(200, 'text/html', '<p>Welcome</p>')).toContain('text/html in place of a stream');
});

test('only the page of the playground may connect to other addresses', async () => {
  const { owner } = await startConsole();
  const policyOf = async (path: string) => {
    const page = await owner.ask('GET', path, undefined, { headers: { accept: 'text/html' } });
    return /connect-src ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
  };
  expect(await policyOf('/playground')).toBe("'self' https: http://localhost:* http://127.0.0.1:*");
  for (const path of ['/', '/search', '/calls', '/sign-in', '/playground/', '/playground/x', '/playgrounds'])
    expect(await policyOf(path), path).toBe("'self'");
});

test('a wish that nothing fits is one search of the key without a result', async () => {
  const { owner } = await startConsole();
  const { id } = await owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'bot' });
  await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'unmet' });
  const wish = { query: 'iron my shirts' };
  expect(await owner.json('POST', `${PATHS.keys}/${id}/nothing-fits`, wish)).toEqual({ counted: true });
  const rows = async () => (await owner.json<SearchReportsPage>('GET', ADMIN_PATHS.searches)).searches;
  await expect.poll(rows).toMatchObject([{ query: 'iron my shirts', searches: 1, empty: 1, keys: 1 }]);
  await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'off' });
  expect(await owner.json('POST', `${PATHS.keys}/${id}/nothing-fits`, wish)).toEqual({ counted: false });
});
