/** The settings that owners can change at run time, and the options that the service was started with. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Settings } from '#sdk/protocol/admin';
import { api } from './request';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => api('GET /v1/settings', { signal }),
});

export function useChangeSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Partial<Settings>) => api('PATCH /v1/settings', { body: change }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
}
