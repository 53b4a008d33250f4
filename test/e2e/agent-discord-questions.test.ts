/** Questions with buttons on Discord. */
import { expect, test } from 'vitest';
import { openDiscord, startDiscordClient } from '../support/discord';
import { receive } from '../support/received-messages';

const question = { id: 'q'.repeat(50), text: 'Delete the report?' };

async function ask(options: { isPrivate?: boolean } = {}) {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: `${fake.mention} delete it`, ...options });
  const ctx = await receive(client);
  return { fake, client, ctx, shown: await client.askApproval(ctx, question) };
}

test.each([true, false])('a press is received with its answer (in private: %s)', async (isPrivate) => {
  const { fake, client, ctx } = await ask({ isPrivate });
  expect(fake.sent).toMatchObject([{ text: question.text, buttons: ['Yes', 'No'] }]);
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  await fake.press({ chatId: ctx.chatId, button: 'no', userId: '1298000000000000009' });

  expect(await receive(client)).toMatchObject({
    chatId: ctx.chatId,
    userId: ctx.userId,
    isPrivate,
    answer: { questionId: question.id, approved: true },
  });
  expect(await receive(client)).toMatchObject({ userId: '1298000000000000009', answer: { approved: false } });
});

test('Discord gets the answer to a press before the agent receives the press', async () => {
  const { fake, ctx } = await ask();
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  await expect.poll(() => fake.requests.at(-1)).toMatchObject({ path: expect.stringMatching(/\/callback$/), status: 204 });
});

test('presses while the client was stopped are received after a restart', async () => {
  const { fake, client, ctx } = await ask();
  await client.stop();
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  const restarted = await startDiscordClient(fake, client.cursor);

  expect((await receive(restarted)).answer).toEqual({ questionId: question.id, approved: true });
});

test('an answer that Discord does not take loses no press', async () => {
  const { fake, client, ctx } = await ask();
  fake.fault({ on: '/callback', status: 404 });
  await fake.press({ chatId: ctx.chatId, button: 'no' });

  expect((await receive(client)).answer).toEqual({ questionId: question.id, approved: false });
});

test('the end of a question takes the buttons away', async () => {
  const { fake, client, ctx, shown } = await ask();
  await client.endQuestion(ctx, JSON.parse(JSON.stringify(shown)), 'Delete the report? Yes, said Ada');
  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'Delete the report? Yes, said Ada', edits: 1 }]);
});

test('a deleted question ends without an error', async () => {
  const { fake, client, ctx, shown } = await ask();
  fake.deleteNewest();
  await client.endQuestion(ctx, shown, 'Time is up');
  expect(fake.sent).toEqual([]);
});

test('a question that is sent again after a crash is shown once', async () => {
  const { fake, client, ctx, shown } = await ask();
  expect(await client.askApproval(ctx, question)).toEqual(shown);
  expect(fake.sent).toHaveLength(1);
});

test('a long question is sent in pieces, and the last one has the buttons', async () => {
  const { fake, client, ctx } = await ask();
  const text = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
  const shown = await client.askApproval(ctx, { id: 'long', text });
  const pieces = fake.sent.slice(1);
  expect(pieces.map(({ text: piece }) => piece).join('\n')).toBe(text);
  expect(pieces.map(({ buttons = [] }) => buttons.length)).toEqual([0, 2]);
  await client.endQuestion(ctx, shown, `${text}\nApproved.`);
  expect(fake.sent.at(-1)?.text).toMatch(/line 299\nApproved\.$/);
  expect(fake.sent.at(-1)?.buttons ?? []).toEqual([]);
});
