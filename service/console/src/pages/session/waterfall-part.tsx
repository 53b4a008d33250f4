/** Searches and calls without a long pause between them, each as a bar on one time axis. The list contains all data of the bars. */
import { Box, Group, Text, Title } from '@mantine/core';
import { type CSSProperties, useId } from 'react';
import { CallTime } from '../../parts/call-time';
import { formatMs, formatPlural } from '../../parts/format';
import { CallRow } from './call-row';
import type { Replay } from './replay';
import { SearchRow } from './search-row';
import type { WaterfallEntry } from './session-entries';
import { tickMs, type WaterfallPart } from './waterfall';

export interface WaterfallPartViewProps {
  part: WaterfallPart<WaterfallEntry>;
  showKeys: boolean;
  replay: Replay;
}

export function WaterfallPartView({ part, showKeys, replay }: WaterfallPartViewProps) {
  const headingId = useId();
  const { entries, at, ms, pauseMs } = part;
  const searches = entries.filter(({ kind }) => kind === 'search').length;
  return (
    <Box component="section" className="session-part" style={{ '--tick': `${(100 * tickMs(ms)) / Math.max(ms, 1)}%` } as CSSProperties}>
      <Group justify="space-between" gap="xs" align="baseline">
        <Title order={3} size="sm" id={headingId}>
          <CallTime at={new Date(at).toISOString()} />
          {pauseMs > 0 && (
            <Text span inherit fw={400} c="dimmed">
              , {formatMs(pauseMs)} later
            </Text>
          )}
        </Title>
        <Text size="xs" c="dimmed">
          {[...counted(searches, 'search', 'searches'), ...counted(entries.length - searches, 'call')].join(', ')}
        </Text>
      </Group>
      <Axis ms={ms} />
      <Box component="ol" className="plain-list" aria-labelledby={headingId}>
        {entries.map((entry) =>
          entry.kind === 'search' ? (
            <SearchRow key={entry.id} entry={entry} part={part} replay={replay} />
          ) : (
            <CallRow key={entry.id} entry={entry} part={part} showKey={showKeys} replay={replay} />
          ),
        )}
      </Box>
    </Box>
  );
}

const counted = (count: number, ...words: [string, string?]): string[] => (count === 0 ? [] : [formatPlural(count, ...words)]);

function Axis({ ms }: { ms: number }) {
  const tick = tickMs(ms);
  const marks = Array.from({ length: Math.floor(ms / tick) + 1 }, (_, index) => index * tick);
  return (
    <div className="session-row session-axis" aria-hidden>
      <div className="session-marks">
        {marks.map((mark) => (
          // The last label would be beside the axis.
          <span key={mark} style={{ left: `${(100 * mark) / Math.max(ms, 1)}%` }}>
            {mark / Math.max(ms, 1) < 0.9 && formatMs(mark)}
          </span>
        ))}
      </div>
    </div>
  );
}
