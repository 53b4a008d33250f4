import { expect, test } from 'vitest';
import { asUnavailable } from '../../../src/store/postgres/errors';
import { passingFault } from '../../../src/store/sqlite/errors';

const withMembers = (members: object) => Object.assign(new Error('said by the driver'), members);

test.each([
  ['PostgreSQL', asUnavailable(withMembers({ severity: 'ERROR', code: '53100' }))],
  ['SQLite', passingFault(withMembers({ code: 'ERR_SQLITE_ERROR', errcode: 13 }))],
  ['the journal', passingFault(withMembers({ code: 'ENOSPC' }))],
  ['a quota', passingFault(withMembers({ code: 'EDQUOT' }))],
])('a full disk of %s is SERVICE_UNAVAILABLE, with the reason', (_name, fault) => {
  expect(fault).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000, reason: 'the disk is full' });
  expect(fault?.message).not.toContain('said by the driver');
});

test('a fault that does not pass stays as it is', () => {
  expect(passingFault(withMembers({ code: 'ERR_SQLITE_ERROR', errcode: 19 }))).toBeUndefined();
  expect(asUnavailable(withMembers({ severity: 'ERROR', code: '23505' }))).toBeUndefined();
});
