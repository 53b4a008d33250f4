/** Toolkits and their actions, to choose from. */
import { queryOptions } from '@tanstack/react-query';
import type { ToolkitReport } from '#sdk/protocol/admin';
import { api } from './request';

/** Longer lists are hard to use: the person types to narrow the list. */
const MAX_PAGES = 10;

export const toolkitChoicesQuery = queryOptions({
  queryKey: ['reports', 'toolkit-choices'],
  queryFn: async ({ signal }) => {
    const toolkits: Pick<ToolkitReport, 'id' | 'name'>[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { toolkits: more, nextCursor } = await api('GET /v1/reports/toolkits', {
        query: { cursor },
        signal,
      });
      toolkits.push(...more.map(({ id, name }) => ({ id, name })));
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    return toolkits;
  },
});

export const actionChoicesQuery = (toolkit: string) =>
  queryOptions({
    queryKey: ['reports', 'action-choices', toolkit],
    queryFn: async ({ signal }) => {
      const report = await api('GET /v1/reports/toolkits/{id}', { params: { id: toolkit }, signal });
      return report.actionReports.map(({ action }) => action);
    },
  });
