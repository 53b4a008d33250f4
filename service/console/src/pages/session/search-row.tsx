import { Anchor, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionLink } from '../../parts/action-link';
import { formatCount } from '../../parts/format';
import { OriginBadge } from '../../parts/origin-badge';
import type { Replay } from './replay';
import type { SearchEntry } from './session-entries';
import type { Timed } from './waterfall';
import { WaterfallRow } from './waterfall-row';

/** A search, the actions that it returned, and the actions that the agent called afterwards. */
export function SearchRow({ entry, part, replay }: { entry: SearchEntry; part: Timed; replay: Replay }) {
  const { id, query, shown, origin } = entry;
  return (
    <WaterfallRow entry={entry} part={part} look="search" isCurrent={replay.current === id}>
      <IconSearch size={14} stroke={1.8} aria-hidden className="session-icon" />
      <div>
        <VisuallyHidden>Search: </VisuallyHidden>
        {query === undefined ? (
          <Text span size="sm" c="dimmed">
            Its text is not stored
          </Text>
        ) : (
          <Anchor
            c="inherit"
            size="sm"
            fw={500}
            className="written"
            data-replay={id}
            renderRoot={(props) => <Link to="/search" search={{ query }} {...props} />}
          >
            {query}
          </Anchor>
        )}
        <OriginBadge origin={origin} />
        <Shown shown={shown} />
      </div>
    </WaterfallRow>
  );
}

/** Called actions are always in view, also beyond this number. */
const FIRST = 5;

function Shown({ shown }: Pick<SearchEntry, 'shown'>) {
  const [isWhole, setWhole] = useState(false);
  if (shown.length === 0)
    return (
      <Text size="xs" c="dimmed">
        Found nothing
      </Text>
    );
  const listed = isWhole ? shown : shown.filter(({ call }, index) => index < FIRST || call !== undefined);
  const hidden = shown.length - listed.length;
  return (
    <ul className="plain-list session-shown" aria-label="Shown actions">
      {listed.map(({ action, call }) => (
        <li key={action} data-called={call !== undefined}>
          <ActionLink id={action} size="xs" />
          {call !== undefined && (
            <Anchor size="xs" c="inherit" fw={600} renderRoot={(props) => <Link to="/calls/$id" params={{ id: call }} {...props} />}>
              <IconCheck size={12} stroke={2.5} aria-hidden /> called
            </Anchor>
          )}
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <UnstyledButton fz="xs" onClick={() => setWhole(true)}>
            and {formatCount(hidden)} more
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}
