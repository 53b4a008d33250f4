/** Cases about replies. */
import { check, checkSame, isRefusedReply } from './check';
import type { Stage } from './stage';

/** Above the limits of a message on Telegram (4,096) and Discord (2,000). */
const LONG_WORDS = 1_200;
/** The end of a cut text on a platform that allows one short reply. */
const CUT = /…$/;

export const REPLY_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'a reply arrives in the chat of its message': async (stage) => {
    const client = await stage.client().start();
    const chats = [stage.openChat(), stage.openChat()];
    const contexts = [];
    for (const chatId of chats) contexts.push(...(await client.receiveUntil(await stage.say(chatId))));
    for (const ctx of contexts.toReversed()) await client.reply(structuredClone(ctx), `answer to ${ctx.message}`);
    for (const { chatId, message } of contexts) checkSame('The chat shows', stage.textsIn(chatId), [`answer to ${message}`]);
  },

  'a reply goes out after a restart': async (stage) => {
    const chatId = stage.openChat();
    const first = await stage.client().start();
    const [ctx] = await first.receiveUntil(await stage.say(chatId));
    await first.stop();
    const second = await stage.client().start(first.storedCursor);
    if (ctx) await second.reply(structuredClone(ctx), `answer in ${chatId}`);
    checkSame('The chat shows', stage.textsIn(chatId), [`answer in ${chatId}`]);
  },

  'a reply is sent after 429 and 503, once': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId));
    stage.fake.fault({ status: 429, retryAfter: 1 });
    stage.fake.fault({ status: 503 });
    if (ctx) await client.reply(ctx, `answer in ${chatId}`);
    checkSame('The chat shows', stage.textsIn(chatId), [`answer in ${chatId}`]);
  },

  'a long reply arrives whole and in order, or as one message that ends with …': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId));
    const text = Array.from({ length: LONG_WORDS }, (_, index) => `word-${index}`).join(' ');
    if (ctx) await client.reply(ctx, text);
    const shown = stage.textsIn(chatId);
    const isCut = shown.length === 1 && CUT.test(shown[0] ?? '');
    const read = shown.join(' ').replace(CUT, '').trim();
    check(
      isCut ? read !== '' && text.startsWith(read) : read === text,
      `A reply of ${LONG_WORDS} words has to arrive whole and in order, and the chat shows ${shown.length} messages that begin with ` +
        shown.map((piece) => JSON.stringify(piece.slice(0, 20))).join(', '),
    );
  },

  'a reply that the platform refuses (403) is a RefusedReply': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId));
    check(ctx !== undefined, 'No message came');
    stage.fake.fault({ status: 403 });
    const error = await client.errorOf('sendMessage, when the platform refuses,', client.sendOnce(ctx, `answer in ${chatId}`));
    check(
      isRefusedReply(error),
      `sendMessage threw ${error.name} (${error.message}). After a refusal for good it has to be a RefusedReply`,
    );
    checkSame('The chat shows', stage.textsIn(chatId), []);
  },
};
