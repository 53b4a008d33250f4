/** The columns of a table of calls. A whole row is a link to its call, except for the links to its action, key and session. */
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { ActionLink } from './action-link';
import { CallTime } from './call-time';
import type { Column } from './data-table';
import { formatMs, formatPlural } from './format';
import { KeyLink } from './key-link';
import { OriginBadge } from './origin-badge';
import { OutcomeBadge } from './outcome-badge';
import { SessionLink } from './session-link';

export const CALL_COLUMNS: Column<InvocationInfo>[] = [
  {
    title: 'Time',
    className: 'calls-time',
    cell: ({ id, startedAt, ms }) => (
      <>
        <Anchor
          c="inherit"
          size="sm"
          className="call-row-link"
          renderRoot={(props) => <Link to="/calls/$id" params={{ id }} preload={false} {...props} />}
        >
          <CallTime at={startedAt} />
        </Anchor>
        <Text size="xs" c="dimmed" className="calls-duration-below">
          {formatDuration(ms)}
        </Text>
      </>
    ),
  },
  { title: 'Outcome', className: 'calls-outcome', cell: (call) => <Outcome call={call} /> },
  {
    title: 'Action',
    cell: ({ standsFor = 1, ...call }) => (
      <>
        <ActionLink id={call.action} />
        <OriginBadge origin={call.origin} />
        {standsFor > 1 && (
          <Text size="xs" c="dimmed">
            {formatPlural(standsFor, 'call')} refused in this minute
          </Text>
        )}
        <Box className="calls-key-below">
          <KeyLink {...call.key} c="dimmed" size="xs" truncate display="block" />
          <Session id={call.session} />
        </Box>
        <Box className="calls-outcome-below">
          <Outcome call={call} />
        </Box>
      </>
    ),
  },
  {
    title: 'Key',
    className: 'calls-key',
    cell: ({ key, session }) => (
      <>
        <KeyLink {...key} />
        <Session id={session} />
      </>
    ),
  },
  { title: 'Duration', kind: 'number', className: 'calls-duration', cell: ({ ms }) => formatDuration(ms) },
];

/** The outcome, and the toolkit's own code for it. */
function Outcome({ call: { code, toolkitCode, message } }: { call: InvocationInfo }) {
  return (
    <>
      <OutcomeBadge code={code} />
      {toolkitCode !== undefined && (
        <Text size="xs" c="dimmed" className="ids" truncate maw="16rem" title={message ?? toolkitCode}>
          {toolkitCode}
        </Text>
      )}
    </>
  );
}

function Session({ id }: { id: string | undefined }) {
  return id === undefined ? null : <SessionLink id={id} c="dimmed" size="xs" truncate display="block" />;
}

function formatDuration(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms);
}
