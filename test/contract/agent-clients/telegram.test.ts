/** TelegramClient keeps the contract of a client. */
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { clientContract, startFakeTelegram } from 'svc-sdk/agent/testing';
import { afterAll, test } from 'vitest';

const fake = await startFakeTelegram();
afterAll(() => fake.close());

const makeClient = (credentials: 'right' | 'wrong') =>
  new TelegramClient(credentials === 'right' ? fake.clientOptions : fake.wrongCredentials);

test.each(clientContract(makeClient, fake))('$name', ({ run }) => run(), 60_000);
