import { queryOptions } from '@tanstack/react-query';
import type { ChangeKeyRequest, OwnedKey, OwnedKeysPage } from '../../../src/protocol/admin';
import { type CreatedKey, type CreateKeyRequest, PATHS } from '../../../src/protocol/http';
import { request } from './request';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => request<OwnedKeysPage>(PATHS.keys, { signal }),
});

/** The answer holds the secret, this once. */
export const createKey = (asked: CreateKeyRequest) => request<CreatedKey>(PATHS.keys, { method: 'POST', body: asked });

/** The answer holds the new secret, this once; the old one stops at once. */
export const rotateKey = (id: string) => request<CreatedKey>(`${pathOf(id)}/rotate`, { method: 'POST' });

export const changeKey = ({ id, ...change }: ChangeKeyRequest & { id: string }) =>
  request<OwnedKey>(pathOf(id), { method: 'PATCH', body: change });

export const revokeKey = (id: string) => request<void>(pathOf(id), { method: 'DELETE' });

function pathOf(id: string): string {
  return `${PATHS.keys}/${encodeURIComponent(id)}`;
}
