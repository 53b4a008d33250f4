/** XClient keeps the contract of a client. */

import { clientContract, startFakeX } from 'svc-sdk/agent/testing';
import { XClient } from 'svc-sdk/agent/x';
import { afterAll, test } from 'vitest';

const fake = await startFakeX();
afterAll(() => fake.close());

const makeClient = (credentials: 'right' | 'wrong') => new XClient(credentials === 'right' ? fake.clientOptions : fake.wrongCredentials);

test.each(clientContract(makeClient, fake))('$name', ({ run }) => run(), 60_000);
