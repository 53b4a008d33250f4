/** DiscordClient keeps the contract of a client. */
import { DiscordClient } from 'svc-sdk/agent/discord';
import { clientContract, startFakeDiscord } from 'svc-sdk/agent/testing';
import { afterAll, test } from 'vitest';

const fake = await startFakeDiscord();
afterAll(() => fake.close());

const makeClient = (credentials: 'right' | 'wrong') =>
  new DiscordClient(credentials === 'right' ? fake.clientOptions : fake.wrongCredentials);

test.each(clientContract(makeClient, fake))('$name', ({ run }) => run(), 60_000);
