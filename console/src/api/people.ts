import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type ChangedPerson, type PeoplePage, type RemovedPerson, type Role } from '../../../src/protocol/admin';
import { request } from './request';

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => request<PeoplePage>(ADMIN_PATHS.people, { signal }),
});

/** Signs them out; who is no owner any more loses their admin keys. */
export const changeRole = ({ id, role }: { id: string; role: Role }) =>
  request<ChangedPerson>(pathOf(id), { method: 'PATCH', body: { role } });

/** Their keys are revoked. */
export const removePerson = (id: string) => request<RemovedPerson>(pathOf(id), { method: 'DELETE' });

function pathOf(id: string): string {
  return `${ADMIN_PATHS.people}/${encodeURIComponent(id)}`;
}
