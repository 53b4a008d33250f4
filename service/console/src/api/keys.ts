import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ChangeKeyRequest, KeySort, KeyState } from '#sdk/protocol/admin';
import type { CreateKeyRequest, KeyKind } from '#sdk/protocol/http';
import { api } from './request';

export interface KeysAsked {
  q?: string | undefined;
  kind?: KeyKind | undefined;
  state?: KeyState | undefined;
  /** Only keys of the person. */
  mine?: 'true' | undefined;
  sort?: KeySort | undefined;
  order?: 'asc' | 'desc' | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page of keys, searched and sorted by the service. */
export const keyListQuery = (asked: KeysAsked) =>
  queryOptions({
    queryKey: ['keys', 'list', asked],
    queryFn: ({ signal }) => api('GET /v1/keys', { query: { ...asked }, signal }),
    placeholderData: keepPreviousData,
  });

/** The key with this id; null if the person sees none. */
export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: async ({ signal }) => {
      const { keys } = await api('GET /v1/keys', { query: { q: id, limit: 5 }, signal });
      return keys.find((key) => key.id === id) ?? null;
    },
  });

/** Only this answer contains the secret. */
export const createKey = (asked: CreateKeyRequest) => api('POST /v1/keys', { body: asked });

/** Only this answer contains the new secret. The old one stops working immediately. */
/** @param overlapSeconds how long the old secret works beside the new one */
export const rotateKey = (id: string, overlapSeconds: number) =>
  api('POST /v1/keys/{id}/rotate', { params: { id }, query: { overlapSeconds } });

export const changeKey = ({ id, ...change }: ChangeKeyRequest & { id: string }) =>
  api('PATCH /v1/keys/{id}', { params: { id }, body: change });

export const revokeKey = (id: string) => api('DELETE /v1/keys/{id}', { params: { id } });
