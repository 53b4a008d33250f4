/** Every toolkit that agents can find, those of the one who looks first. */
import { Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toolkitReportsQuery } from '../../api/reports';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { matchingToolkits } from './matching-toolkits';
import { ToolkitTable } from './toolkit-table';

export function ToolkitsPage() {
  const query = useInfiniteQuery(toolkitReportsQuery);
  const [text, setText] = useState('');
  const connect = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} renderRoot={(props) => <Link to="/start" {...props} />}>
      Connect a toolkit
    </Button>
  );
  return (
    <Page title="Toolkits" description="What is offered to agents, and how it fares." actions={connect}>
      <QueryView query={query}>
        {({ pages }) => {
          const all = pages.flatMap(({ toolkits }) => toolkits);
          if (all.length === 0)
            return (
              <EmptyState title="There are no toolkits yet" action={connect}>
                A toolkit is a process that offers actions to agents. Get a key for it, copy the snippet, and it shows here as soon as it
                connects.
              </EmptyState>
            );
          const shown = matchingToolkits(all, text);
          return (
            <Stack gap="md">
              <TextInput
                aria-label="Name, id or words of a description"
                placeholder="Name, id or words of a description"
                leftSection={<IconSearch size={16} aria-hidden />}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                maw={360}
              />
              <Paper withBorder>
                {shown.length > 0 ? (
                  <ToolkitTable toolkits={shown} />
                ) : (
                  <Text p="md" c="dimmed">
                    None of these toolkits has “{text.trim()}” in it.
                  </Text>
                )}
              </Paper>
              {query.hasNextPage && (
                <Button variant="default" mx="auto" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Load more
                </Button>
              )}
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
