/** Tests whether a query finds an action, and why. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { explainQuery } from '../../api/explain';
import { QueryView } from '../query-view';
import { Section } from '../section';
import { RankExplanation } from './rank-explanation';

export interface TestQueryProps {
  /** Ids to choose from. */
  actions: readonly [string, ...string[]];
  /** The query that is tested; empty: none yet. */
  query: string;
  onTest: (query: string) => void;
}

export function TestQuery({ actions, query, onTest }: TestQueryProps) {
  const [action, setAction] = useState(actions[0]);
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  return (
    <Section
      title="Test a query"
      description="The rank that a search would give the action, and why. It counts as no search, and uses no rate of a key."
    >
      <Stack gap="md">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onTest(text.trim());
          }}
        >
          <Group gap="sm" align="flex-end">
            {actions.length > 1 && (
              <Select
                label="Action"
                data={actions}
                value={action}
                onChange={(id) => id && setAction(id)}
                allowDeselect={false}
                searchable
                w={{ base: '100%', xs: 260 }}
              />
            )}
            <TextInput
              label="Query"
              placeholder="A search that an agent would send"
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              maxLength={1_000}
              autoComplete="off"
              flex={1}
              miw="12rem"
            />
            <Button type="submit" variant="default" disabled={text.trim() === ''}>
              Test
            </Button>
          </Group>
        </form>
        {query !== '' && <Explained action={action} query={query} />}
      </Stack>
    </Section>
  );
}

function Explained({ action, query }: { action: string; query: string }) {
  const explained = useQuery(explainQuery({ action, query }));
  return (
    <QueryView query={explained} rows={2} failed="Could not test the query">
      {(explanation) => (
        <div className="fading" data-faded={explained.isPlaceholderData} role="status">
          <RankExplanation explained={explanation} />
        </div>
      )}
    </QueryView>
  );
}
