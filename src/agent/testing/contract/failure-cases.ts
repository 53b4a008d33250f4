/** Cases about failures of the platform: no message is lost or received twice. */
import type { FakeFault } from '../fake-platform';
import { checkSame } from './check';
import type { Stage } from './stage';

const REPEAT_MS = 250;

/** Faults of the next request, and of the gateway's connection. A platform without a gateway ignores the second. */
const FAILURES: Record<string, readonly FakeFault[]> = {
  'a cut connection': [{ cut: true }, { close: 1006 }],
  'an answer that is lost on its way': [{ cut: true, done: true }, { close: 1006 }],
  'an answer 503': [{ status: 503 }, { close: 1006 }],
  'a rate limit (429)': [{ status: 429, retryAfter: 1 }, { close: 1006 }],
  'a connection that is half open': [{ hangMs: 1_000, cut: true }, { silent: true }],
};

export const FAILURE_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'a start waits for a platform that fails': async (stage) => {
    const chatId = stage.openChat();
    stage.fake.fault({ cut: true });
    stage.fake.fault({ status: 503 });
    const client = await stage.client().start();
    // Repeats the message: the client may still be connecting, and a platform need not store earlier messages.
    const writing = setInterval(() => void stage.say(chatId), REPEAT_MS);
    await client.receive().finally(() => clearInterval(writing));
  },

  ...Object.fromEntries(
    Object.entries(FAILURES).map(([failure, faults]) => [`${failure} loses no message, and none comes twice`, survive(faults)]),
  ),
};

function survive(faults: readonly FakeFault[]): (stage: Stage) => Promise<void> {
  return async (stage) => {
    const chatId = stage.openChat();
    const client = await stage.client().start();
    await client.receiveUntil(await stage.say(chatId));
    for (const fault of faults) stage.fake.fault(fault);
    const texts = await stage.sayAll(chatId, 2);
    const received = await client.receiveUntil(texts.at(-1) ?? '');
    checkSame(
      'After the failure came',
      received.map(({ message }) => message),
      texts,
    );
    const after = await stage.say(chatId);
    const [ctx, ...others] = await client.receiveUntil(after);
    checkSame('Before the next message came', others.length, 0);
    if (ctx) await client.reply(ctx, `answer to ${after}`);
    checkSame('The chat shows', stage.textsIn(chatId), [`answer to ${after}`]);
  };
}
