import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ToolkitReportDetail } from '../../../../src/protocol/admin';
import type { CreatedKey, KeyInfo } from '../../../../src/protocol/http';
import { firstToolkitQuery } from '../../api/first-steps';
import { formatPlural } from '../../parts/format';
import { KeyAndSnippets } from './key-and-snippets';
import { LiveLine } from './live-line';
import { TOOLKIT_SNIPPETS } from './snippets';
import { Step } from './step';

const MOST_LINKS = 5;

export interface ToolkitStepProps {
  url: string;
  made: CreatedKey | undefined;
  existing: KeyInfo | undefined;
  onMade: (made: CreatedKey) => void;
}

export function ToolkitStep({ url, made, existing, onMade }: ToolkitStepProps) {
  const id = existing?.toolkit;
  const { data: report } = useQuery({ ...firstToolkitQuery(id ?? ''), enabled: id !== undefined });
  return (
    <Step
      number={1}
      title="Serve an action"
      description="A toolkit is a program of yours that connects to this service and answers calls."
      done={report?.online === true}
    >
      <KeyAndSnippets
        kind="toolkit"
        url={url}
        made={made}
        existing={existing}
        defaultName="weather"
        snippets={TOOLKIT_SNIPPETS}
        onMade={onMade}
      />
      {id !== undefined && <ToolkitLine id={id} report={report ?? undefined} />}
    </Step>
  );
}

function ToolkitLine({ id, report }: { id: string; report: ToolkitReportDetail | undefined }) {
  if (!report) return <LiveLine done={false}>Waiting for your toolkit {id}…</LiveLine>;
  const toolkit = (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
      {id}
    </Anchor>
  );
  if (!report.online) return <LiveLine done={false}>{toolkit} was here and is offline now. Waiting until its program runs again…</LiveLine>;
  const shown = report.actionReports.slice(0, MOST_LINKS);
  return (
    <LiveLine done>
      {toolkit} connected, {formatPlural(report.actions, 'action')}
      {shown.length > 0 && (
        <Text size="sm" c="dimmed">
          Try without writing anything:{' '}
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
