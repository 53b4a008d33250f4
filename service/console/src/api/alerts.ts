/** Alerts, their rules, and the targets that they are sent to. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewAlertTarget } from '#sdk/protocol/alert-schemas';
import { api } from './request';

/** The service reports each change; this finds what a lost event left out. */
const REFRESH_MS = 60_000;

export const alertsQuery = (state: 'open' | 'ended') =>
  queryOptions({
    queryKey: ['alerts', state],
    queryFn: ({ signal }) => api('GET /v1/alerts', { query: { state }, signal }),
    refetchInterval: REFRESH_MS,
  });

export const alertTargetsQuery = queryOptions({
  queryKey: ['alerts', 'targets'],
  queryFn: ({ signal }) => api('GET /v1/alerts/targets', { signal }),
  refetchInterval: REFRESH_MS,
});

export function useCheckAlerts() {
  const refresh = useRefreshAlerts();
  return useMutation({ mutationFn: () => api('POST /v1/alerts/check', {}), onSuccess: refresh });
}

export function useMuteAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...mute }: { id: string; until?: string }) => api('POST /v1/alerts/{id}/mute', { params: { id }, body: mute }),
    onSuccess: () => Promise.all([['alerts'], ['settings']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

export function useAddTarget() {
  const refresh = useRefreshAlerts();
  return useMutation({ mutationFn: (target: NewAlertTarget) => api('POST /v1/alerts/targets', { body: target }), onSuccess: refresh });
}

export function useRemoveTarget() {
  const refresh = useRefreshAlerts();
  return useMutation({ mutationFn: (id: string) => api('DELETE /v1/alerts/targets/{id}', { params: { id } }), onSuccess: refresh });
}

export function useTestTarget() {
  return useMutation({ mutationFn: (id: string) => api('POST /v1/alerts/targets/{id}/test', { params: { id } }) });
}

function useRefreshAlerts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['alerts'] });
}
