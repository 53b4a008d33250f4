import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SystemNode, SystemReport } from '#sdk/protocol/alert-schemas';
import { systemQuery } from '../../api/system';
import { type Column, DataTable } from '../../parts/data-table';
import { Fact, FactGrid } from '../../parts/facts';
import { formatBytes, formatCount, formatMs, formatPercent } from '../../parts/format';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';

const STORES = { sqlite: 'SQLite, in a data directory', postgres: 'PostgreSQL', memory: 'Memory, gone with the process' } as const;

export function ServiceSystemPage() {
  return (
    <Page
      title="System"
      description="The nodes, the data and the limits of this service."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/settings" {...props} />}>
          Settings
        </Button>
      }
    >
      <OwnersOnly>
        <ReadSystem />
      </OwnersOnly>
    </Page>
  );
}

function ReadSystem() {
  return (
    <QueryView query={useQuery(systemQuery)} rows={8} failed="Could not load the state of the service">
      {(report) => (
        <Stack gap="md">
          <SystemFacts report={report} />
          <Section title="Nodes" description="The processes of the service. A silent one did not answer in time.">
            <DataTable label="Nodes" rows={report.nodes} rowKey={({ id }) => id} columns={NODES} minWidth={640} />
          </Section>
          <Section title="SDKs that connect" description="The SDKs of the connected processes of toolkits.">
            <DataTable label="SDKs" rows={report.sdks} rowKey={({ name }) => name} columns={SDKS} empty="No process is connected." />
          </Section>
          <Section
            title="Limits"
            description="Set at startup with --limit name=value, in bytes and milliseconds. docs/limits.md explains each."
          >
            <DataTable label="Limits" rows={report.limits} rowKey={({ name }) => name} columns={LIMITS} verticalSpacing={7} />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}

function SystemFacts({ report: { version, store, lastBackupAt, nodes } }: { report: SystemReport }) {
  const sum = (of: (node: SystemNode) => number) => formatCount(nodes.reduce((total, node) => total + of(node), 0));
  return (
    <FactGrid>
      <Fact label="Version">{version}</Fact>
      <Fact label="Data">{STORES[store.kind]}</Fact>
      <Fact label="Size">{formatBytes(store.bytes)}</Fact>
      <Fact label="Growth in the last day">
        {store.bytesPerDay === undefined
          ? 'Known after a day'
          : `${store.bytesPerDay < 0 ? '−' : ''}${formatBytes(Math.abs(store.bytesPerDay))}`}
      </Fact>
      <Fact label="Last backup">{lastBackupAt ? <TimeAgo at={lastBackupAt} /> : 'None that the service knows of'}</Fact>
      <Fact label="Calls that run / wait">
        {sum(({ running }) => running)} / {sum(({ queued }) => queued)}
      </Fact>
    </FactGrid>
  );
}

const NODES: Column<SystemNode>[] = [
  {
    title: 'Node',
    cell: ({ id, isThis, isSilent }) => `${id}${isThis ? ' (answers now)' : ''}${isSilent ? ' (silent)' : ''}`,
    className: 'ids',
  },
  { title: 'Version', cell: ({ version = '–' }) => version },
  { title: 'Up for', cell: ({ uptimeSeconds }) => (uptimeSeconds === undefined ? '–' : formatMs(uptimeSeconds * 1_000)), kind: 'number' },
  { title: 'Run', cell: ({ running }) => formatCount(running), kind: 'number' },
  { title: 'Wait', cell: ({ queued }) => formatCount(queued), kind: 'number' },
  { title: 'Sockets', cell: ({ toolkitSockets = 0 }) => formatCount(toolkitSockets), kind: 'number' },
  {
    title: 'Event loop',
    cell: ({ eventLoopBusy }) => (eventLoopBusy === undefined ? '–' : formatPercent(eventLoopBusy, 1)),
    kind: 'number',
  },
  { title: 'Load', cell: loadText, kind: 'number' },
  { title: 'Memory', cell: ({ memoryBytes }) => (memoryBytes === undefined ? '–' : formatBytes(memoryBytes)), kind: 'number' },
];

function loadText({ loadAverage, processors }: SystemNode): string {
  return loadAverage === undefined ? '–' : `${loadAverage.toFixed(1)} of ${processors}`;
}

const SDKS: Column<SystemReport['sdks'][number]>[] = [
  { title: 'SDK', cell: ({ name }) => name },
  { title: 'Processes', cell: ({ processes }) => formatCount(processes), kind: 'number' },
];

type Limit = SystemReport['limits'][number];

const LIMITS: Column<Limit>[] = [
  { title: 'Limit', cell: ({ meaning }) => meaning },
  { title: 'Value', cell: limitText, kind: 'number' },
  { title: 'Name', cell: ({ name }) => name, className: 'ids', from: 'sm' },
];

function limitText({ value, unit }: Limit): string {
  if (unit === 'bytes') return formatBytes(value);
  return unit === 'ms' ? formatMs(value) : formatCount(value);
}
