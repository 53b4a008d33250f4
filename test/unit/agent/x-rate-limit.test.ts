/** The wait after a 429: until `x-rate-limit-reset`, by the clock of X. */
import { expect, test } from 'vitest';
import { rateLimitWait } from '../../../src/agent/clients/x/api';

const AT = Date.parse('2026-11-22T12:00:00Z');
const SECONDS = AT / 1000;

test.each([
  ['in 90 s', String(SECONDS + 90), 90_000],
  ['now', String(SECONDS), 1_000],
  ['an hour ago', String(SECONDS - 3_600), 1_000],
  ['in 15 minutes', String(SECONDS + 900), 900_000],
  ['in a day', String(SECONDS + 86_400), 960_000],
  ['missing', null, 60_000],
  ['not a number', 'soon', 60_000],
])('a reset that is %s', (_, reset, waitMs) => expect(rateLimitWait(reset, AT)).toBe(waitMs));
