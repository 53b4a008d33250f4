/** Cases about credentials: errors, contexts and cursors must not hold any. All other cases check this too. */
import { check } from './check';
import type { Stage } from './stage';

export const SECRET_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'no error, context or cursor holds a credential': async (stage) => {
    const chatId = stage.openChat();
    const refused = stage.client('wrong');
    await refused.errorOf('start() with wrong credentials', refused.client.start());

    const client = await stage.client().start();
    const [ctx] = await client.receiveUntil(await stage.say(chatId));
    check(ctx !== undefined, 'No message came');
    for (const status of [400, 401, 403, 404]) {
      stage.fake.fault({ status });
      await client.errorOf(`sendMessage, answered with ${status},`, client.sendOnce(ctx, `answer ${status} in ${chatId}`));
    }
    stage.fake.fault({ hangMs: 1_000, cut: true });
    const cut = client.sendOnce(ctx, `last answer in ${chatId}`).catch((error: unknown) => error);
    await client.stop();
    client.checkAbsent('The error of a sendMessage that stop() ended', await cut);
  },
};
