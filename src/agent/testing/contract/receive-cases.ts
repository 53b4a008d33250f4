/** Cases about received messages. */
import { check, checkSame } from './check';
import type { Stage } from './stage';

export const RECEIVE_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'the id is known before the start, and belongs to the account': async (stage) => {
    const one = stage.client();
    const other = stage.client();
    const { clientId } = one.client;
    check(typeof clientId === 'string' && clientId !== '', `clientId has to be a text before start(), and is ${JSON.stringify(clientId)}`);
    checkSame('A second client with the same credentials has the clientId', other.client.clientId, clientId);
    await one.start();
    checkSame('After start() the clientId is', one.client.clientId, clientId);
  },

  'a message arrives with chat, user, text and id': async (stage) => {
    const client = await stage.client().start();
    const chatId = stage.openChat();
    const userId = '2000000101';
    const text = await stage.say(chatId, { userId });
    const ctx = await client.receive();
    checkSame('The context has', { chatId: ctx.chatId, userId: ctx.userId, message: ctx.message }, { chatId, userId, message: text });
    const { messageId } = ctx;
    check(typeof messageId === 'string' && messageId !== '', `messageId has to be a text, and is ${JSON.stringify(messageId)}`);
  },

  'messages of one chat arrive in order, each with an id of its own': async (stage) => {
    const client = await stage.client().start();
    const chats = [stage.openChat(), stage.openChat()];
    const texts = new Map(chats.map((chatId): [string, string[]] => [chatId, []]));
    for (let round = 0; round < 3; round += 1) {
      for (const chatId of chats) texts.get(chatId)?.push(await stage.say(chatId));
    }
    const received = [];
    while (received.length < 6) received.push(await client.receive());
    for (const [chatId, said] of texts) {
      const inChat = received.filter((ctx) => ctx.chatId === chatId).map(({ message }) => message);
      checkSame('The messages of one chat came as', inChat, said);
    }
    checkSame('The number of different messageIds is', new Set(received.map(({ messageId }) => messageId)).size, 6);
  },

  'a message that the platform delivers twice has one id': async (stage) => {
    const client = await stage.client().start();
    const chatId = stage.openChat();
    const text = await stage.say(chatId, { twice: true });
    const last = await stage.say(chatId);
    const copies = (await client.receiveUntil(last)).slice(0, -1);
    check(copies.length > 0 && copies.every(({ message }) => message === text), 'A message that was delivered twice did not come first');
    const ids = new Set(copies.map(({ messageId }) => messageId));
    check(ids.size === 1, `The copies of one message have the messageIds ${[...ids].join(' and ')}: the agent would answer both`);
  },

  'a new client continues at the cursor': async (stage) => {
    const chatId = stage.openChat();
    const first = await stage.client().start();
    const [taken = '', ...waiting] = await stage.sayAll(chatId, 3);
    checkSame('The first message is', await first.receiveTexts(taken), [taken]);
    await first.stop();
    const missed = await stage.say(chatId);

    const second = await stage.client().start(first.storedCursor);
    checkSame('After the cursor of the first message came', await second.receiveTexts(missed), [...waiting, missed]);
    await second.stop();
    const third = await stage.client().start(second.storedCursor);
    const last = await stage.say(chatId);
    checkSame('After the cursor of the last message came', await third.receiveTexts(last), [last]);
  },

  'a message comes again when its cursor was not stored': async (stage) => {
    const chatId = stage.openChat();
    const first = await stage.client().start();
    await first.receiveUntil(await stage.say(chatId));
    const stored = first.storedCursor;
    const text = await stage.say(chatId);
    const [ctx] = await first.receiveUntil(text);
    await first.stop();

    const second = await stage.client().start(stored);
    const [again] = await second.receiveUntil(text);
    checkSame('The message that came again is', again, ctx);
  },

  'a client that was stopped starts again': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    await client.receiveUntil(await stage.say(chatId));
    await client.stop();
    const missed = await stage.say(chatId);
    await client.start(client.storedCursor);
    checkSame('After the second start came', await client.receiveTexts(missed), [missed]);
  },
};
