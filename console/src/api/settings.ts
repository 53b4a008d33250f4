/** What owners can change while the service runs, and what it was started with. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_PATHS, type Settings, type SettingsPage } from '../../../src/protocol/admin';
import { request } from './request';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => request<SettingsPage>(ADMIN_PATHS.settings, { signal }),
});

export function useChangeSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Partial<Settings>) => request<SettingsPage>(ADMIN_PATHS.settings, { method: 'PATCH', body: change }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
}
