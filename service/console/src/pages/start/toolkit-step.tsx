import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ToolkitReportDetail } from '#sdk/protocol/admin';
import { TOOLKIT_SNIPPETS } from '../../../../src/snippets/snippets';
import { firstToolkitQuery } from '../../api/first-steps';
import { formatPlural } from '../../parts/format';
import { KeyAndSnippets, type StepKey } from './key-and-snippets';
import { LiveLine } from './live-line';
import { StartStep } from './step';

const MOST_LINKS = 5;

export function ToolkitStep(key: StepKey) {
  const id = key.current?.toolkit;
  const { data: report } = useQuery({ ...firstToolkitQuery(id ?? ''), enabled: id !== undefined });
  return (
    <StartStep
      number={1}
      title="Connect a toolkit"
      description="A toolkit is your program. It connects to this service and answers calls."
      done={report?.online === true}
    >
      <KeyAndSnippets {...key} kind="toolkit" defaultName="weather" snippets={TOOLKIT_SNIPPETS} />
      {id !== undefined && <ToolkitLine id={id} report={report ?? undefined} />}
    </StartStep>
  );
}

function ToolkitLine({ id, report }: { id: string; report: ToolkitReportDetail | undefined }) {
  if (!report) return <LiveLine progress="waiting">Waiting for your toolkit {id}…</LiveLine>;
  const toolkit = (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
      {id}
    </Anchor>
  );
  if (!report.online) return <LiveLine progress="waiting">{toolkit} is offline. Waiting for its program to start again…</LiveLine>;
  const shown = report.actionReports.slice(0, MOST_LINKS);
  return (
    <LiveLine progress="done">
      {toolkit} connected, {formatPlural(report.actions, 'action')}
      {shown.length > 0 && (
        <Text size="sm" c="dimmed">
          Try it in the browser:{' '}
          {shown.map(({ action }, index) => (
            <Fragment key={action}>
              {index > 0 && ', '}
              <Anchor
                inherit
                underline="always"
                renderRoot={(props) => <Link to="/actions/$id" params={{ id: action }} {...props} />}
                className="ids"
              >
                {action}
              </Anchor>
            </Fragment>
          ))}
        </Text>
      )}
    </LiveLine>
  );
}
