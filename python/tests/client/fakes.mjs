/**
 * The platforms of svc-sdk/agent/testing for the tests of another language: a new one for each test, in one process.
 *
 * Shape: each line of stdin is a request, `{platform, options}` for a new platform, or `{origin, member, args}` for a member of one that is not
 *        a request over HTTP; each line of stdout is its answer. The process ends with its stdin.
 */
import { createInterface } from 'node:readline';
import { startFakeDiscord, startFakeTelegram, startFakeX } from 'svc-sdk/agent/testing';

const START = { telegram: startFakeTelegram, discord: startFakeDiscord, x: startFakeX };
const fakes = new Map();

async function answer({ platform, options, origin, member, args = [] }) {
  if (platform !== undefined) {
    const fake = await START[platform](options);
    fakes.set(fake.origin, fake);
    const { secret, clientOptions, wrongCredentials, mention = `@${fake.botName}` } = fake;
    return { origin: fake.origin, secret, clientOptions, wrongCredentials, mention };
  }
  const fake = fakes.get(origin);
  const value = fake[member];
  return typeof value === 'function' ? await value.apply(fake, args) : value;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify((await answer(JSON.parse(line))) ?? null));
}
process.exit(0);
