import { queryOptions } from '@tanstack/react-query';
import type { OwnedKeysPage } from '../../../src/protocol/admin';
import { PATHS } from '../../../src/protocol/http';
import { request } from './request';

/** Every key that one may see, those that were revoked too. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => request<OwnedKeysPage>(PATHS.keys, { signal }),
});
