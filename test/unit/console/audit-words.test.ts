import { expect, test } from 'vitest';
import { changesOf, kindOf, sentenceOf } from '../../../console/src/pages/audit/audit-words';
import type { AuditEntry } from '../../../src/protocol/admin';

const entry = (what: AuditEntry['what'], details: AuditEntry['details'], subject = 'key_1'): AuditEntry => ({
  id: 'aud_1',
  at: '2026-01-31T08:00:00Z',
  actor: { kind: 'person', id: 'per_1', name: 'Ada' },
  what,
  subject,
  details,
});

test('an entry is a sentence with who did what to what', () => {
  expect(sentenceOf(entry('key.revoke', { kind: 'agent', name: 'ci' }))).toBe('Ada revoked key “ci”');
  expect(sentenceOf(entry('key.revoke', { kind: 'agent', name: '' }))).toBe('Ada revoked key key_1');
  expect(sentenceOf(entry('settings.change', { from: 30, to: 7 }, 'retentionDays'))).toBe(
    'Ada changed the setting “days that records are kept”',
  );
  expect(sentenceOf({ ...entry('key.create', { name: 'ci' }), actor: { kind: 'command', name: 'svc-sdk keys' } })).toBe(
    'The command line made key “ci”',
  );
});

test('a changed key tells what is another, from what to what', () => {
  const from = { kind: 'agent', name: 'ci' };
  const changed = entry('key.change', { from, to: { kind: 'agent', name: 'build', callsPerMinute: 60 } });
  expect(sentenceOf(changed)).toBe('Ada changed key “build”');
  expect(changesOf(changed)).toEqual([
    { name: 'name', from: 'ci', to: 'build' },
    { name: 'calls a minute', from: 'none', to: '60' },
  ]);
});

test('settings and roles tell it too, and lists that are empty are left out', () => {
  expect(changesOf(entry('settings.change', { from: [], to: ['pin', 'token'] }, 'redact'))).toEqual([
    { name: 'names that are never kept', from: 'none', to: 'pin, token' },
  ]);
  expect(changesOf(entry('person.role', { name: 'Grace', role: { from: 'member', to: 'owner' }, revokedKeys: [] }))).toEqual([
    { name: 'role', from: 'member', to: 'owner' },
  ]);
});

test('invitations are of the kind of people', () => {
  expect(kindOf(entry('invitation.create', {}))).toBe('People');
});
