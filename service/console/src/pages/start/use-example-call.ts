import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ExampleCall, weatherCall } from '../../../../src/snippets/snippet';
import { firstToolkitQuery } from '../../api/first-steps';
import { toolkitReportsQuery } from '../../api/reports';
import { exampleCallOf } from './example-call';

/** @param toolkit id of the toolkit to call. Default: one that is online */
export function useExampleCall(toolkit?: string): ExampleCall {
  const { data: reports } = useInfiniteQuery({ ...toolkitReportsQuery, enabled: toolkit === undefined });
  const id = toolkit ?? reports?.pages[0]?.toolkits.find(({ online }) => online)?.id;
  const { data: report } = useQuery({ ...firstToolkitQuery(id ?? ''), enabled: id !== undefined });
  return (report?.online && exampleCallOf(report.actionReports)) || weatherCall(toolkit);
}
