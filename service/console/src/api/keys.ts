import { queryOptions } from '@tanstack/react-query';
import type { ChangeKeyRequest } from '#sdk/protocol/admin';
import type { CreateKeyRequest } from '#sdk/protocol/http';
import { api } from './request';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api('GET /v1/keys', { signal }),
});

/** Only this answer contains the secret. */
export const createKey = (asked: CreateKeyRequest) => api('POST /v1/keys', { body: asked });

/** Only this answer contains the new secret. The old one stops working immediately. */
export const rotateKey = (id: string) => api('POST /v1/keys/{id}/rotate', { params: { id } });

export const changeKey = ({ id, ...change }: ChangeKeyRequest & { id: string }) =>
  api('PATCH /v1/keys/{id}', { params: { id }, body: change });

export const revokeKey = (id: string) => api('DELETE /v1/keys/{id}', { params: { id } });
