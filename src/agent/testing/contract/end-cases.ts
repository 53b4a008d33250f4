/** Cases about the end of a client: stopped, aborted by its signal, or refused by the platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import { check } from './check';
import type { Stage } from './stage';
import { PAUSE_MS, type TestedClient } from './tested-client';
import { ANSWER_MS, inTime, STOP_MS } from './time-limit';

const MIN_WORDS = 3;
/** Time for a request to start. A receive that ends earlier only weakens the case. */
const UNDER_WAY_MS = 100;

export const END_CASES: Record<string, (stage: Stage) => Promise<void>> = {
  'stop() ends a receive that waits': async (stage) => {
    const client = await settled(stage);
    const pending = receiveOnce(client, new AbortController().signal);
    await sleep(UNDER_WAY_MS);
    await client.stop();
    await inTime(pending, STOP_MS, 'After stop() the waiting receiveMessage did not end');
  },

  'a receive ends with its signal': async (stage) => {
    const client = await settled(stage);
    const ended = new AbortController();
    const pending = receiveOnce(client, ended.signal);
    await sleep(UNDER_WAY_MS);
    ended.abort();
    await inTime(pending, STOP_MS, 'After its signal was aborted, receiveMessage did not end');
  },

  'stop() works without a start, and twice': async (stage) => {
    const client = stage.client();
    await client.stop();
    await client.start();
    await client.stop();
    await client.stop();
  },

  'wrong credentials reject the start in words': async (stage) => {
    const client = stage.client('wrong');
    checkWords(await client.errorOf('start() with wrong credentials', client.client.start()));
  },

  'credentials that are revoked later end receiving in words': async (stage) => {
    const client = await settled(stage);
    stage.fake.fault({ status: 401 });
    stage.fake.fault({ close: 4004 });
    checkWords(await client.errorOf('receiveMessage with revoked credentials', receiveAll(client)));
  },
};

/** A started client that has received all messages. */
async function settled(stage: Stage): Promise<TestedClient> {
  const client = await stage.client().start();
  await client.receiveUntil(await stage.say(stage.openChat()));
  return client;
}

/** Null and an error are both allowed at the end. */
async function receiveOnce({ client }: TestedClient, signal: AbortSignal): Promise<void> {
  await client.receiveMessage({ signal }).catch(() => null);
}

async function receiveAll({ client }: TestedClient): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  while (!signal.aborted) {
    await client.receiveMessage({ signal });
    await sleep(PAUSE_MS);
  }
}

function checkWords({ message }: Error): void {
  const words = message.split(/\s+/).filter(Boolean);
  check(words.length >= MIN_WORDS, `The error has to say what happened and what to do, and says ${JSON.stringify(message)}`);
}
