import { Anchor, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { PROGRAM } from '#sdk/protocol/program-calls';
import { formatAmount, formatMs } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { RunLink } from '../../parts/run-link';
import { CallInPlace } from './call-in-place';
import type { Replay } from './replay';
import type { CallCost, CallEntry } from './session-entries';
import type { Timed } from './waterfall';
import { WaterfallRow } from './waterfall-row';

export interface CallRowProps {
  entry: CallEntry;
  part: Timed;
  showKey: boolean;
  replay: Replay;
}

/** A call with its outcome. The row opens payload and result in place; its action leads to the page of the call. */
export function CallRow({ entry, part, showKey, replay }: CallRowProps) {
  const { call, cost, ms } = entry;
  const { id, action, code, key } = call;
  const isOpen = replay.opened.has(id);
  const contentId = useId();
  const look = code === undefined ? 'running' : code === 'OK' ? 'ok' : 'failed';
  return (
    <WaterfallRow
      entry={entry}
      part={part}
      look={look}
      duration={code === undefined ? `${formatMs(ms)} so far` : formatMs(ms)}
      className="call-row"
      isCurrent={replay.current === id}
      details={
        isOpen && (
          <div id={contentId} className="session-details">
            <CallInPlace id={id} />
          </div>
        )
      }
    >
      <UnstyledButton
        className="call-row-link session-icon"
        data-replay={id}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        aria-label={`Payload and result of ${action || 'an unread action'}`}
        onClick={() => replay.toggle(id)}
      >
        {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
      </UnstyledButton>
      <div>
        <Group gap="0.1rem 0.6rem">
          <Anchor
            c="inherit"
            size="sm"
            className="ids"
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
