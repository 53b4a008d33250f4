/** The columns of a table of calls. A whole row is a link to its call, except for the links to its action, key and session. */
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { ActionLink } from './action-link';
import { CallTime } from './call-time';
import type { Column } from './data-table';
import { formatMs, formatPlural } from './format';
import { KeyLink } from './key-link';
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
  { title: 'Outcome', className: 'calls-outcome', cell: ({ code }) => <OutcomeBadge code={code} /> },
  {
    title: 'Action',
    cell: ({ action, key, session, code, standsFor = 1 }) => (
      <>
        <ActionLink id={action} />
        {standsFor > 1 && (
          <Text size="xs" c="dimmed">
            {formatPlural(standsFor, 'call')} refused in this minute
          </Text>
        )}
        <Box className="calls-key-below">
          <KeyLink {...key} c="dimmed" size="xs" truncate display="block" />
          <Session id={session} />
        </Box>
        <Box className="calls-outcome-below">
          <OutcomeBadge code={code} />
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

function Session({ id }: { id: string | undefined }) {
  return id === undefined ? null : <SessionLink id={id} c="dimmed" size="xs" truncate display="block" />;
}

function formatDuration(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms);
}
