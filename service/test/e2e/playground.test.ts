/** The service's side of the playground: the policy of its page, the operator's model, and the wish that becomes demand. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
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

async function askedOfModel() {
  const model = await startFakeModel(() => ({ content: 'good morning' }));
  const { owner } = await startConsole({ console: { playground: { modelUrl: model.url, model: 'house-model', modelKey: MODEL_KEY } } });
  const ask = (answer: (response: ServerResponse) => void, signal?: AbortSignal) => {
    model.failOnce(answer);
    return owner.ask('POST', `${ADMIN_PATHS.playground}/model`, TURN, { ...(signal && { signal }) });
  };
  return { model, ask, works: async () => (await ask((response) => stream(response).end('data: [DONE]\n\n'))).text() };
}

function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Sends until the receiver is gone. */
function sendForEver(response: ServerResponse, piece: string): void {
  const more = () => {
    while (response.write(piece));
  };
  response.on('drain', more);
  more();
}

test.each([
  ['a page without end', 200, 'text/html', '<p>Welcome</p>', 'answered with text/html in place of a stream of events'],
  ['an error without end', 500, 'application/json', '{"error": ', 'answered 500'],
])('%s from the model is one line, and the rest of it is not read', async (_, status, type, piece, said) => {
  const { ask, works } = await askedOfModel();
  let left: Promise<unknown> | undefined;
  const answer = await ask((response) => {
    left = once(response, 'close');
    sendForEver(response.writeHead(status, { 'content-type': type }), piece.repeat(1_000));
  });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', detail: `The model of this service ${said}`, retryable: true });
  await left;
  expect(await works()).toBe('data: [DONE]\n\n');
});

test('the key of the model is in no error, also where the message is cut in the middle of it', async () => {
  const { ask } = await askedOfModel();
  const message = `${'x'.repeat(500 - MODEL_KEY.length + 1)}${MODEL_KEY}`;
  const answer = await ask((response) => response.writeHead(500).end(JSON.stringify({ error: { message } })));
  const text = await answer.text();
  expect(text).toContain('xxx[key]');
  expect(text).not.toContain(MODEL_KEY.slice(0, 8));
});

test('a model that does not begin to answer is given up after two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask } = await askedOfModel();
  const answer = ask(() => void vi.advanceTimersByTimeAsync(120_000));
  expect(await (await answer).json()).toMatchObject({ detail: 'The model of this service did not begin to answer in 120 s' });
});

test('garbage in a stream is passed on, a stream that breaks off says so, and the service goes on', async () => {
  const { ask, works } = await askedOfModel();
  const garbage = Buffer.from([0, 255, 10, 13, 200, 10, 10]);
  const passed = await ask((response) => stream(response).end(garbage));
  expect(Buffer.from(await passed.arrayBuffer())).toEqual(garbage);
  const broken = await ask((response) => stream(response).write('data: {}\n\n', () => response.destroy()));
  expect(await broken.text()).toBe(
    'data: {}\n\n\n\ndata: {"error":{"message":"The connection to the model broke in the middle of its answer"}}\n\n',
  );
  expect(await works()).toBe('data: [DONE]\n\n');
});

test('a person who leaves ends the request at the model, before its answer and in the middle of it, without a word', async () => {
  const said = vi.spyOn(console, 'error');
  onTestFinished(() => void vi.restoreAllMocks());
  const { ask } = await askedOfModel();
  const silent = new AbortController();
  let left: Promise<unknown> | undefined;
  const asked = ask((response) => {
    left = once(response, 'close');
    silent.abort();
  }, silent.signal);
  await expect(asked).rejects.toThrow();
  await left;
  const endless = new AbortController();
  const answer = await ask((response) => {
    left = once(response, 'close');
    sendForEver(stream(response), 'data: {}\n\n'.repeat(1_000));
  }, endless.signal);
  expect(answer.status).toBe(200);
  endless.abort();
  await left;
  expect(said).not.toHaveBeenCalled();
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
