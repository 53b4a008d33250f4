/** Cases for clients with `askApproval` and `showPartial`: questions with buttons, and partial replies. */
import { check, checkSame } from './check';
import type { Stage } from './stage';

/** An id of the maximum length. */
const QUESTION_ID = 'turn_0123456789abcdef01234567/12/3456789012345-';
const WRITER = '2000000102';
const OTHER = '2000000103';

export const QUESTION_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'a question shows two buttons, and a press comes back as its answer': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId, { userId: WRITER }));
    check(ctx !== undefined, 'No message came');
    for (const [button, userId] of [['yes', WRITER] as const, ['no', OTHER] as const]) {
      const question = { id: `${QUESTION_ID}${button}`, text: `May I, ${button}?` };
      const shown = await client.shown('askApproval', client.client.askApproval?.(ctx, question));
      const asked = stage.sentIn(chatId).at(-1);
      checkSame('The question shows', { text: asked?.text, buttons: asked?.buttons?.length }, { text: question.text, buttons: 2 });
      await stage.fake.press({ chatId, button, userId });
      const press = await client.receive();
      const answer = { questionId: question.id, approved: button === 'yes' };
      checkSame('The press came as', { chatId: press.chatId, userId: press.userId, answer: press.answer }, { chatId, userId, answer });
      await client.shown('endQuestion', client.client.endQuestion?.(ctx, shown, `Answered: ${button}.`));
    }
    const shown = stage.sentIn(chatId).map(({ text, buttons = [] }) => ({ text, buttons }));
    checkSame('After endQuestion the chat shows', shown, [
      { text: 'Answered: yes.', buttons: [] },
      { text: 'Answered: no.', buttons: [] },
    ]);
  },
};

export const PARTIAL_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'a text that grows ends as one message': async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId));
    check(ctx !== undefined, 'No message came');
    let partial: unknown;
    for (const text of ['An answer', 'An answer that grows']) {
      const shownCtx = partial === undefined ? ctx : { ...ctx, partial };
      partial = await client.shown('showPartial', client.client.showPartial?.(shownCtx, text));
      checkSame('The chat shows', stage.textsIn(chatId), [text]);
    }
    await client.reply({ ...ctx, partial }, 'An answer that has grown');
    checkSame('The chat shows', stage.textsIn(chatId), ['An answer that has grown']);
  },
};
