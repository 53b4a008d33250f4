import { expect, test } from 'vitest';
import type { AuditEntry } from '#sdk/protocol/admin';
import { AUDITED } from '#sdk/protocol/admin-constants';
import { AUDIT_KINDS, areasOf, changesOf, sentenceOf } from '../../../console/src/pages/audit/audit-words';

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
  expect(sentenceOf(entry('settings.change', { from: 30, to: 7 }, 'retentionDays'))).toBe('Ada changed “Retention (days)”');
  expect(sentenceOf({ ...entry('key.create', { name: 'ci' }), actor: { kind: 'command', name: 'svc-service keys' } })).toBe(
    'The command line created key “ci”',
  );
});

test('a changed key shows the changed members with the old and the new value', () => {
  const from = { kind: 'agent', name: 'ci' };
  const changed = entry('key.change', { from, to: { kind: 'agent', name: 'build', callsPerMinute: 60 } });
  expect(sentenceOf(changed)).toBe('Ada changed key “build”');
  expect(changesOf(changed)).toEqual([
    { name: 'name', from: 'ci', to: 'build' },
    { name: 'limit per minute', from: 'none', to: '60' },
  ]);
});

test('the rules of a key are words, as on its page', () => {
  const rules = [
    { match: { toolkit: 'github' }, do: 'deny' },
    { match: { hint: 'destructive', priceAbove: '0.50' }, do: 'ask' },
  ];
  const changed = entry('key.change', { from: { name: 'ci' }, to: { name: 'ci', rules } });
  expect(changesOf(changed)).toEqual([{ name: 'rules', from: 'none', to: 'deny: toolkit github; ask: destructive, price above 0.50' }]);
});

test('settings and roles tell it too, and lists that are empty are left out', () => {
  expect(changesOf(entry('settings.change', { from: [], to: ['pin', 'token'] }, 'redact'))).toEqual([
    { name: 'Fields to redact', from: 'none', to: 'pin, token' },
  ]);
  expect(changesOf(entry('person.role', { name: 'Grace', role: { from: 'member', to: 'owner' }, revokedKeys: [] }))).toEqual([
    { name: 'role', from: 'member', to: 'owner' },
  ]);
});

test('a connected app has its host and key, and settings of apps have the labels of their page', () => {
  const connected = entry('app.connect', {
    name: 'Claude',
    host: 'claude.ai',
    isNew: true,
    key: { kind: 'agent', name: 'Claude (claude.ai)' },
  });
  expect(sentenceOf(connected)).toBe('Ada connected app “Claude”');
  expect(areasOf('Apps')).toContain(connected.what.split('.')[0]);
  expect(changesOf(connected)).toEqual([
    { name: 'host', to: 'claude.ai' },
    { name: 'first time', to: 'true' },
    { name: 'key', to: 'kind: agent; name: Claude (claude.ai)' },
  ]);
  expect(sentenceOf(entry('settings.change', { from: 'everyone', to: 'owners' }, 'connectApps'))).toBe(
    'Ada changed “People who may connect apps”',
  );
  expect(changesOf(entry('settings.change', { from: [], to: ['claude.ai'] }, 'connectAppHosts'))).toEqual([
    { name: 'Allowed apps', from: 'none', to: 'claude.ai' },
  ]);
});

test('a change of a connection names the toolkit, and the key of an app is not an admin key', () => {
  const connected = entry('connection.connect', { connection: 'con_1', owner: 'user:key_1:u_81', account: 'octocat' }, 'github');
  expect(sentenceOf(connected)).toBe('Ada connected an account of toolkit github');
  expect(areasOf('Connections')).toContain(connected.what.split('.')[0]);
  expect(changesOf(connected)).toEqual([
    { name: 'connection', to: 'con_1' },
    { name: 'owner', to: 'user:key_1:u_81' },
    { name: 'account', to: 'octocat' },
  ]);
  const app = { kind: 'key', id: 'key_1', name: 'shop' } as const;
  expect(sentenceOf({ ...entry('connection.refuse', {}, 'github'), actor: app })).toBe(
    'Key “shop” confirmed an account of toolkit github for another user, so the account was not connected',
  );
});

test('invitations are of the kind of people', () => {
  expect(areasOf('People')).toContain(entry('invitation.create', {}).what.split('.')[0]);
});

test('a sign-in is shown as an act of the person, and differs from changes', () => {
  const signedIn = entry('session.begin', { by: 'passkey', address: '127.0.0.1' }, 'per_1');
  expect(sentenceOf(signedIn)).toBe('Ada signed in');
  expect(changesOf(signedIn)).toEqual([
    { name: 'with', to: 'passkey' },
    { name: 'from', to: '127.0.0.1' },
  ]);
  expect(areasOf('Sign-ins')).toContain(signedIn.what.split('.')[0]);
  const renamed = entry('passkey.rename', { from: { name: 'phone' }, to: { name: 'old phone' } }, 'pas_1');
  expect(sentenceOf(renamed)).toBe('Ada renamed passkey “old phone”');
  expect(changesOf(renamed)).toEqual([{ name: 'name', from: 'phone', to: 'old phone' }]);
  expect(sentenceOf(entry('passkey.remove', { name: 'phone' }, 'pas_1'))).toBe('Ada removed passkey “phone”');
  const linked = entry('person.link', { ended: ['passwords (1)', 'passkeys (2)'] }, 'per_1');
  expect(sentenceOf(linked)).toBe('Ada connected the OpenID provider');
  expect(changesOf(linked)).toEqual([{ name: 'also ended', to: 'passwords (1), passkeys (2)' }]);
});

test('every kind of change is of one kind in the filter', () => {
  expect(AUDIT_KINDS.flatMap(areasOf).toSorted()).toEqual([...new Set(AUDITED.map((code) => code.split('.')[0]))].toSorted());
});

test('the removal of a toolkit is among the changes of toolkits', () => {
  const removed = entry('toolkit.remove', { name: 'Weather' }, 'weather');
  expect(sentenceOf(removed)).toBe('Ada removed toolkit “Weather”');
  expect(areasOf('Toolkits')).toEqual(['toolkit', 'actions', 'import']);
});
