import { expect, onTestFinished, test } from 'vitest';
import { startFakeTelegram } from '../../../../src/agent/testing/fake-telegram';

async function startTelegram() {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram.close());
  const { botToken, apiRoot } = telegram.clientOptions;
  async function call(method: string, payload: object = {}, token = botToken) {
    const response = await fetch(`${apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return response.json();
  }
  async function control(name: string, body?: object) {
    const response = await fetch(`${apiRoot}/${name}`, body && { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  }
  return { telegram, call, control };
}

const texts = ({ result }: { result: { message: { text: string } }[] }) => result.map(({ message }) => message.text);

test('an update is removed only when a higher offset confirms it', async () => {
  const { telegram, call } = await startTelegram();
  await telegram.say({ text: 'one' });
  await telegram.say({ text: 'two', twice: true });

  const first = await call('getUpdates');
  expect(texts(first)).toEqual(['one', 'two', 'two']);
  expect(texts(await call('getUpdates'))).toEqual(['one', 'two', 'two']);
  expect(texts(await call('getUpdates', { offset: first.result[1].update_id }))).toEqual(['two', 'two']);
  expect(texts(await call('getUpdates', { offset: first.result[2].update_id + 1 }))).toEqual([]);
  expect(texts(await call('getUpdates'))).toEqual([]);
});

test('a poll waits for a message, and the older of two polls is answered with 409', async () => {
  const { telegram, call } = await startTelegram();
  const older = call('getUpdates', { timeout: 30 });
  await expect.poll(() => telegram.requests.length).toBe(1);
  const newer = call('getUpdates', { timeout: 30 });
  expect(await older).toMatchObject({ ok: false, error_code: 409 });
  await telegram.say({ text: 'hello' });
  expect(texts(await newer)).toEqual(['hello']);
});

test('every member is also a control request', async () => {
  const { call, control } = await startTelegram();
  const { messageId } = await control('say', { text: 'Delete it', chatId: '55', userId: '55' });
  expect(messageId).toMatch(/^\d+$/);
  const keyboard = {
    inline_keyboard: [
      [
        { text: 'Yes', callback_data: 'y' },
        { text: 'No', callback_data: 'n' },
      ],
    ],
  };
  await call('sendMessage', { chat_id: 55, text: 'Sure?', reply_markup: keyboard });
  expect(await control('sent')).toEqual([{ chatId: '55', text: 'Sure?', buttons: ['Yes', 'No'] }]);

  await control('press', { chatId: '55', button: 'no' });
  const { result } = await call('getUpdates');
  expect(result[1].callback_query).toMatchObject({ data: 'n', from: { id: 55 }, message: { chat: { id: 55 } } });

  await control('faults', { on: 'sendMessage', status: 429, retryAfter: 7 });
  expect(await call('sendMessage', { chat_id: 55, text: 'x' })).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
  expect((await control('requests')).at(-1)).toMatchObject({ method: 'POST', path: expect.stringMatching(/sendMessage$/), status: 429 });
  expect(await control('press', { chatId: '56', button: 'no' })).toEqual({ error: 'No message in chat 56 shows buttons' });
});

test('a fault with done cuts only the answer; without done the request has no effect', async () => {
  const { telegram, call } = await startTelegram();
  await telegram.say({ text: 'hello', chatId: '55' });
  telegram.fault({ on: 'sendMessage', cut: true });
  telegram.fault({ on: 'sendMessage', cut: true, done: true });
  await expect(call('sendMessage', { chat_id: 55, text: 'lost' })).rejects.toThrow();
  expect(telegram.sent).toEqual([]);
  await expect(call('sendMessage', { chat_id: 55, text: 'shown' })).rejects.toThrow();
  expect(telegram.sent).toEqual([{ chatId: '55', text: 'shown' }]);
});

test.each([
  ['sendMessage', { chat_id: 9, text: 'x' }, 'chat not found'],
  ['sendMessage', { chat_id: 55, text: ' ' }, 'message text is empty'],
  ['sendMessage', { chat_id: 55, text: '💥'.repeat(2049) }, 'message is too long'],
  [
    'sendMessage',
    { chat_id: 55, text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'ü'.repeat(33) }]] } },
    'BUTTON_DATA',
  ],
  ['editMessageText', { chat_id: 55, message_id: 1, text: 'x' }, 'message to edit not found'],
  ['sendPhoto', { chat_id: 55 }, 'no photo'],
  ['answerCallbackQuery', { callback_query_id: 'old' }, 'query is too old'],
])('%s of %j is refused', async (method, payload, words) => {
  const { telegram, call } = await startTelegram();
  await telegram.say({ text: 'hello', chatId: '55' });
  expect(await call(method, payload)).toMatchObject({ ok: false, error_code: 400, description: expect.stringContaining(words) });
});

test('a wrong token, an unknown method and a poll beside a webhook are refused', async () => {
  const { call } = await startTelegram();
  expect(await call('getMe', {}, '1:wrong')).toMatchObject({ error_code: 401 });
  expect(await call('noSuchMethod')).toMatchObject({ error_code: 404 });
  await call('setWebhook', { url: 'https://example.com' });
  expect(await call('getUpdates')).toMatchObject({ error_code: 409 });
  await call('deleteWebhook');
  expect(await call('getUpdates')).toMatchObject({ ok: true });
});

test('pictures of one message are an album, each with a separate id', async () => {
  const { telegram, call } = await startTelegram();
  const image = `data:image/png;base64,${btoa('png')}`;
  const first = Number(await telegram.say({ text: 'look', images: [image, image] }));
  const next = Number(await telegram.say({ text: 'next' }));

  const { result } = await call('getUpdates');
  expect(result.map(({ message }: { message: object }) => message)).toMatchObject([
    { message_id: first, media_group_id: expect.any(String), caption: 'look' },
    { message_id: first + 1, media_group_id: expect.any(String) },
    { message_id: next, text: 'next' },
  ]);
  expect(next).toBe(first + 2);
});

test('an upgraded group is refused with its new id, and a deleted message cannot be edited', async () => {
  const { telegram, call } = await startTelegram();
  await telegram.say({ text: 'hello', chatId: '-55', isPrivate: false });
  telegram.upgradeGroup('-55', '-1055');
  expect(await call('sendMessage', { chat_id: -55, text: 'x' })).toMatchObject({
    error_code: 400,
    parameters: { migrate_to_chat_id: -1055 },
  });
  const { result } = await call('sendMessage', { chat_id: -1055, text: 'x' });
  telegram.deleteNewest();
  expect(await call('editMessageText', { chat_id: -1055, message_id: result.message_id, text: 'y' })).toMatchObject({ error_code: 400 });
  expect(telegram.sent).toEqual([]);
});
