/** Toolkits of MCP servers and OpenAPI documents, for owners. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportRequest } from '#sdk/protocol/imports';
import { api } from './request';

const WHILE_STARTING_MS = 2_000;
/** The service reports no event for a change of a source. */
const OTHERWISE_MS = 30_000;

/** The key has the prefix of reports, which are refreshed with every change of the catalogue. */
export const importsQuery = queryOptions({
  queryKey: ['reports', 'imports'],
  queryFn: ({ signal }) => api('GET /v1/imports', { signal }),
  refetchInterval: ({ state: { data } }) => {
    if (!data?.available) return false;
    return data.imports.some(({ state }) => state === 'starting') ? WHILE_STARTING_MS : OTHERWISE_MS;
  },
});

export function usePreviewImport() {
  return useMutation({ mutationFn: (request: ImportRequest) => api('POST /v1/imports/preview', { body: request }) });
}

/** Adds the previewed source. The service refuses a source that has changed since. */
export function useAddImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ImportRequest & { sha256: string }) => api('POST /v1/imports', { body: request }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['reports'] }),
  });
}

export const approveImport = (id: string, sha256: string) => api('POST /v1/imports/{id}/approve', { params: { id }, body: { sha256 } });
