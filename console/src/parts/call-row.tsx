/** One call in a list: all of the row leads to it, except for what leads elsewhere. */
import { Anchor, Box, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { InvocationInfo } from '../../../src/protocol/admin';
import { ActionLink } from './action-link';
import { CallTime } from './call-time';
import { formatMs } from './format';
import { KeyLink } from './key-link';
import { OutcomeBadge } from './outcome-badge';

export const CallRow = memo(function CallRow({ call }: { call: InvocationInfo }) {
  const { id, action, key, code, startedAt, ms } = call;
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
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {duration}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <OutcomeBadge code={code} />
      </Table.Td>
      <Table.Td>
        <ActionLink id={action} />
        <Box hiddenFrom="sm" mt={4}>
          <KeyLink {...key} c="dimmed" size="xs" display="block" mb={4} />
          <OutcomeBadge code={code} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <KeyLink {...key} />
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {duration}
      </Table.Td>
    </Table.Tr>
  );
});
