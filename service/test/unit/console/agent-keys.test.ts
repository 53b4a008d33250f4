import { expect, test } from 'vitest';
import { usableAgentKeys } from '../../../console/src/api/agent-keys';

const key = { kind: 'agent', name: 'a', createdAt: '2026-01-01T00:00:00Z' } as const;
const now = Date.parse('2026-06-01T00:00:00Z');

test('valid agent keys are listed, the viewer’s own keys first', () => {
  const keys = [
    { ...key, id: 'other', owner: { id: 'per_2', name: 'Bo' } },
    { ...key, id: 'mine', owner: { id: 'per_1', name: 'Ada' } },
    { ...key, id: 'revoked', revokedAt: '2026-02-01T00:00:00Z' },
    { ...key, id: 'expired', expiresAt: '2026-05-01T00:00:00Z' },
    { ...key, id: 'toolkit', kind: 'toolkit' as const },
  ];
  expect(usableAgentKeys(keys, 'per_1', now).map(({ id }) => id)).toEqual(['mine', 'other']);
});

test('an admin key owns none, also not those without an owner', () => {
  expect(
    usableAgentKeys(
      [
        { ...key, id: 'a' },
        { ...key, id: 'b', owner: { id: 'per_2', name: 'Bo' } },
      ],
      undefined,
      now,
    ),
  ).toHaveLength(2);
});
