/** One call in a list: all of the row leads to it, except for what leads elsewhere. */
import { Anchor, Box, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { InvocationInfo } from '../../../src/protocol/admin';
import { ActionLink } from './action-link';
import { CallTime } from './call-time';
import { formatMs, formatPlural } from './format';
import { KeyLink } from './key-link';
import { OutcomeBadge } from './outcome-badge';

export const CallRow = memo(function CallRow({ call }: { call: InvocationInfo }) {
  const { id, action, key, code, startedAt, ms, standsFor = 1 } = call;
  const duration = ms === undefined ? '–' : formatMs(ms);
  return (
    <Table.Tr className="call-row">
      <Table.Td>
        <Anchor
          c="inherit"
          size="sm"
          className="call-row-link"
          renderRoot={(props) => <Link to="/calls/$id" params={{ id }} preload={false} {...props} />}
        >
          <CallTime at={startedAt} />
        </Anchor>
        <Text size="xs" c="dimmed" className="calls-duration-below">
          {duration}
        </Text>
      </Table.Td>
      <Table.Td className="calls-outcome">
        <OutcomeBadge code={code} />
      </Table.Td>
      <Table.Td>
        <ActionLink id={action} />
        {standsFor > 1 && (
          <Text size="xs" c="dimmed">
            {formatPlural(standsFor, 'call')} refused in this minute
          </Text>
        )}
        <Box className="calls-key-below">
          <KeyLink {...key} c="dimmed" size="xs" truncate display="block" />
        </Box>
        <Box className="calls-outcome-below">
          <OutcomeBadge code={code} />
        </Box>
      </Table.Td>
      <Table.Td className="calls-key">
        <KeyLink {...key} />
      </Table.Td>
      <Table.Td className="calls-duration" ta="right">
        {duration}
      </Table.Td>
    </Table.Tr>
  );
});
