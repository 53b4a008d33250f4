/** One toolkit: its processes, its calls, and the text that agents read. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconActivity, IconKey, IconPlug } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ToolkitReportDetail } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { toolkitReportQuery } from '../../api/reports';
import { ApiError } from '../../api/request';
import { DayFigures } from '../../parts/day-figures';
import { FindingList } from '../../parts/finding-list';
import { formatPlural } from '../../parts/format';
import { HowItIsFound } from '../../parts/listing/how-it-is-found';
import { OnlineBadge } from '../../parts/online-badge';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Region } from '../../parts/region';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { ToolkitActionList } from './action-list';
import { HeldActions } from './held-actions';
import { ImportedSource } from './imported-source';
import { NoToolkit } from './no-toolkit';
import { ProcessTable } from './process-table';
import { RemoveToolkit, useIsBeingRemoved } from './remove-toolkit';
import { CallersOfToolkit } from './toolkit-callers';
import { ToolkitConnections } from './toolkit-connections';
import { ToolkitEarnings } from './toolkit-earnings';
import { ToolkitErrors } from './toolkit-errors';
import { ToolkitSeries } from './toolkit-series';

const route = getRouteApi('/signed-in/toolkits/$id');

export function ToolkitPage() {
  const { id } = route.useParams();
  const isBeingRemoved = useIsBeingRemoved(id);
  const report = useQuery({ ...toolkitReportQuery(id), enabled: !isBeingRemoved });
  if (report.error instanceof ApiError && report.error.status === 404) return <NoToolkit id={id} error={report.error} />;
  return (
    <Page
      title={report.data?.name ?? id}
      description={report.data && <State report={report.data} />}
      actions={report.data && <Ways report={report.data} />}
    >
      <QueryView query={report}>{(data) => <Report report={data} />}</QueryView>
    </Page>
  );
}

function Ways({ report }: { report: ToolkitReportDetail }) {
  const { id } = report;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlug size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/connect" search={{ staticToolkits: id }} {...props} />}
      >
        Connect a client
      </Button>
      {report.mine && <OwnWays report={report} />}
    </>
  );
}

function OwnWays({ report: { id, name } }: { report: ToolkitReportDetail }) {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconActivity size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/calls" search={{ toolkit: id }} {...props} />}
      >
        View calls
      </Button>
      <Button
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/keys" search={{ text: id, kind: 'toolkit' }} {...props} />}
      >
        View keys
      </Button>
      {me.role === 'owner' && <RemoveToolkit id={id} name={name} />}
    </>
  );
}

function State({ report }: { report: ToolkitReportDetail }) {
  const { id, name, online, replicas, lastSeenAt } = report;
  return (
    <Group gap="xs" component="span">
      {name !== id && <span className="ids">{id}</span>}
      <OnlineBadge online={online} />
      <span>
        {online ? (
          formatPlural(replicas, 'process', 'processes')
        ) : lastSeenAt ? (
          <>
            last seen <TimeAgo at={lastSeenAt} />
          </>
        ) : (
          report.actions === 0 && 'never connected'
        )}
      </span>
    </Group>
  );
}

function Report({ report }: { report: ToolkitReportDetail }) {
  const { id, description, mine, day, processes = [], findings, actionReports } = report;
  return (
    <Stack gap="lg">
      <ImportedSource id={id} />
      <HeldActions reports={actionReports} />
      {day && <DayFigures day={day} />}
      {mine && <ToolkitSeries id={id} />}
      <Section title="Description" description="As agents read it.">
        <Text size="sm" className="written" {...(!description && { c: 'dimmed' })}>
          {description || 'No description. Agents find this toolkit by its actions alone.'}
        </Text>
      </Section>
      <ToolkitConnections report={report} />
      {findings.length > 0 && (
        <Section title="Suggestions" description="From the description linter, for the toolkit as a whole.">
          <FindingList findings={findings} />
        </Section>
      )}
      {mine && (
        <Section title="Processes">
          <ProcessTable processes={processes} />
        </Section>
      )}
      <Region title="Actions">
        <ToolkitActionList actions={actionReports} />
      </Region>
      {mine && <HowItIsFound of={{ toolkit: id }} actions={actionReports.map(({ action }) => action)} />}
      {mine && (
        <Section
          title="Callers"
          description="Agents that called it. Keys of other people have numbers, which stay the same for this toolkit."
        >
          <CallersOfToolkit id={id} />
        </Section>
      )}
      {mine && (
        <Section title="Its own error codes" description="Codes that its handlers gave with their errors.">
          <ToolkitErrors id={id} />
        </Section>
      )}
      {mine && actionReports.some(({ payment }) => payment) && <ToolkitEarnings id={id} />}
    </Stack>
  );
}
