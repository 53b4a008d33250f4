/** The facts of a session, and its searches and calls as a waterfall. */
import { Box, Button, Center, Stack, Text } from '@mantine/core';
import type { SessionEntry, SessionPage } from '#sdk/protocol/admin';
import { Fact, FactGrid } from '../../parts/facts';
import { formatCount, formatFullTime, formatMs, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { Section } from '../../parts/section';
import { useNow } from '../../parts/use-now';
import { UserLink } from '../../parts/user-link';
import { toWaterfall, type WaterfallEntry } from './session-entries';
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
  return (
    <Stack gap="md">
      <SessionFacts items={items} entries={entries} keys={keys} isWhole={more === undefined} />
      <Section
        title="Searches and calls"
        {...(more && {
          aside: (
            <Text size="sm" c="dimmed" className="numbers">
              Showing the first {formatCount(items.length)}, more below
            </Text>
          ),
        })}
        description={`Bars are to scale. After ${formatMs(LONG_PAUSE_MS)} without a search or call, a new time axis begins.`}
      >
        <Box className="session-waterfall">
          {partsOf(entries).map((part) => (
            <WaterfallPartView key={part.entries[0]?.id} part={part} showKeys={keys.length > 1} />
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

interface SessionFactsProps {
  items: readonly SessionEntry[];
  entries: readonly WaterfallEntry[];
  keys: readonly CallingKey[];
  isWhole: boolean;
}

function SessionFacts({ items, entries, keys, isWhole }: SessionFactsProps) {
  const users = [...new Set(items.flatMap((item) => (item.kind === 'call' ? item.call.user : item.user) ?? []))];
  const startedAt = entries[0]?.at ?? 0;
  const endedAt = Math.max(startedAt, ...entries.map(({ at, ms }) => at + ms));
  const calls = items.flatMap((item) => (item.kind === 'call' ? item.call : []));
  const failed = calls.filter(({ code }) => code !== undefined && code !== 'OK').length;
  return (
    <FactGrid>
      <Fact label={keys.length === 1 ? 'Key' : 'Keys'}>
        {keys.map((key) => (
          <KeyLink key={key.id} {...key} display="block" />
        ))}
      </Fact>
      {users.length > 0 && (
        <Fact label={users.length === 1 ? 'User' : 'Users'}>
          {users.map((user) => (
            <UserLink key={user} id={user} display="block" />
          ))}
        </Fact>
      )}
      <Fact label="Started">
        <time dateTime={new Date(startedAt).toISOString()}>{formatFullTime(startedAt)}</time>
      </Fact>
      <Fact label={isWhole ? 'Duration' : 'Duration of what is shown'}>
        <span className="numbers">{formatMs(endedAt - startedAt)}</span>
      </Fact>
      <Fact label={isWhole ? 'Searches and calls' : 'Shown, with more below'}>
        <span className="numbers">
          {formatPlural(items.length - calls.length, 'search', 'searches')}, {formatPlural(calls.length, 'call')}
        </span>
        {failed > 0 && (
          <Text span inherit c="var(--text-alarming)">
            , {formatPlural(failed, 'error')}
          </Text>
        )}
      </Fact>
    </FactGrid>
  );
}

type CallingKey = Extract<SessionEntry, { kind: 'search' }>['key'];

const keyOf = (item: SessionEntry): CallingKey => (item.kind === 'call' ? item.call.key : item.key);

/** The first of each id. */
function distinct<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const known = new Set<string>();
  return items.filter((item) => !known.has(idOf(item)) && known.add(idOf(item)));
}
