import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#sdk/protocol/admin';
import { api } from './request';

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => api('GET /v1/people', { signal }),
});

/** Signs the person out. A former owner loses their admin keys. */
export const changeRole = ({ id, role }: { id: string; role: Role }) => api('PATCH /v1/people/{id}', { params: { id }, body: { role } });

/** Their keys are revoked. */
export const removePerson = (id: string) => api('DELETE /v1/people/{id}', { params: { id } });
