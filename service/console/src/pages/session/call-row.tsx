import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PROGRAM } from '#sdk/protocol/program-calls';
import { formatAmount, formatMs } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { RunLink } from '../../parts/run-link';
import type { CallCost, CallEntry } from './session-entries';
import type { Timed } from './waterfall';
import { WaterfallRow } from './waterfall-row';

/** A call with its outcome. The whole row is a link to the page of the call. */
export function CallRow({ entry, part, showKey }: { entry: CallEntry; part: Timed; showKey: boolean }) {
  const { call, cost, ms } = entry;
  const { id, action, code, key } = call;
  const look = code === undefined ? 'running' : code === 'OK' ? 'ok' : 'failed';
  return (
    <WaterfallRow
      entry={entry}
      part={part}
      look={look}
      duration={code === undefined ? `${formatMs(ms)} so far` : formatMs(ms)}
      className="call-row"
    >
      <IconPlayerPlay size={14} stroke={1.8} aria-hidden className="session-icon" />
      <div>
        <Group gap="0.1rem 0.6rem">
          <Anchor
            c="inherit"
            size="sm"
            className="ids call-row-link"
            renderRoot={(props) => <Link to="/calls/$id" params={{ id }} preload={false} {...props} />}
          >
            <VisuallyHidden>Call of </VisuallyHidden>
            {action || 'an unread action'}
          </Anchor>
          <OutcomeBadge code={code} />
          {cost && (
            <Text span size="xs" c="dimmed">
              {costWords(cost)}
            </Text>
          )}
        </Group>
        {call.madeBy !== undefined && call.madeBy !== PROGRAM && (
          <Text size="xs" c="dimmed">
            made by <RunLink id={call.madeBy} />
          </Text>
        )}
        {showKey && <KeyLink {...key} size="xs" c="dimmed" />}
      </div>
    </WaterfallRow>
  );
}

function costWords({ state, charged = '0', authorised, currency }: CallCost): string {
  if (state === 'held') return `${formatAmount(authorised, currency)} held`;
  return state === 'charged' ? formatAmount(charged, currency) : 'not charged';
}
