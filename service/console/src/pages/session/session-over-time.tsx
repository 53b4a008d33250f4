/** The facts of a session, and its searches and calls as a waterfall. */
import { Box, Button, Center, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { SessionEntry, SessionPage } from '#sdk/protocol/admin';
import { formatCount, formatMs } from '../../parts/format';
import { Section } from '../../parts/section';
import { useNow } from '../../parts/use-now';
import { useReplay } from './replay';
import { toWaterfall } from './session-entries';
import { SessionFacts } from './session-facts';
import { LONG_PAUSE_MS, partsOf } from './waterfall';
import { WaterfallPartView } from './waterfall-part';
import './session.css';

export interface SessionOverTimeProps {
  pages: readonly SessionPage[];
  /** Undefined when every search and call is loaded. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

export function SessionOverTime({ pages, more, isLoadingMore }: SessionOverTimeProps) {
  const items = pages.flatMap(({ entries }) => entries);
  const now = useNow(items.some((item) => item.kind === 'call' && item.call.code === undefined));
  const entries = toWaterfall(items, now);
  const keys = distinct(items.map(keyOf), ({ id }) => id);
  const replay = useReplay(entries.map(({ id }) => id));
  const [page] = pages;
  return (
    <Stack gap="md">
      {page && <SessionFacts page={page} />}
      <Section
        title="Searches and calls"
        aside={
          <Group gap="sm">
            {more && (
              <Text size="sm" c="dimmed" className="numbers">
                Showing the first {formatCount(items.length)}, more below
              </Text>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={replay.isPlaying ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />}
              onClick={replay.play}
            >
              {replay.isPlaying ? 'Pause' : 'Play'}
            </Button>
          </Group>
        }
        description={`Bars are to scale. After ${formatMs(LONG_PAUSE_MS)} without a search or call, a new time axis begins. A row opens its payload and result; the arrow keys move between rows.`}
      >
        <Box className="session-waterfall" onKeyDown={replay.onKeyDown}>
          {partsOf(entries).map((part) => (
            <WaterfallPartView key={part.entries[0]?.id} part={part} showKeys={keys.length > 1} replay={replay} />
          ))}
        </Box>
        {more && (
          <Center mt="md">
            <Button variant="default" loading={isLoadingMore} onClick={more}>
              Load more
            </Button>
          </Center>
        )}
      </Section>
    </Stack>
  );
}

type CallingKey = Extract<SessionEntry, { kind: 'search' }>['key'];

const keyOf = (item: SessionEntry): CallingKey => (item.kind === 'call' ? item.call.key : item.key);

/** The first of each id. */
function distinct<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const known = new Set<string>();
  return items.filter((item) => !known.has(idOf(item)) && known.add(idOf(item)));
}
