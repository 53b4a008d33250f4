import { Alert, Anchor, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MoreAction, SearchResponse } from '#sdk/protocol/http';
import { formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Region } from '../../parts/region';
import { FoundCard } from './found-card';
import { ModelAnswerView } from './model-answer';

export interface SearchAnswerViewProps {
  query: string;
  answer: UseQueryResult<SearchResponse>;
  maxTokens: number;
}

/** The results for people, next to the JSON that the model receives. */
export function SearchAnswerView({ query, answer, maxTokens }: SearchAnswerViewProps) {
  return (
    <QueryView query={answer}>
      {(response) => (
        <Grid gap="lg" opacity={answer.isPlaceholderData ? 0.6 : 1}>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Results query={query} response={response} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <ModelAnswerView response={response} maxTokens={maxTokens} />
          </Grid.Col>
        </Grid>
      )}
    </QueryView>
  );
}

function Results({ query, response: { actions, more = [], offline = [], hint } }: { query: string; response: SearchResponse }) {
  const found = actions.length + more.length;
  return (
    <Stack gap="lg">
      <Region
        title={found === 0 ? 'No matches' : formatPlural(found, 'action')}
        description={<span className="names">{found === 0 ? `No actions match “${query}”` : `for “${query}”, best match first`}</span>}
      >
        <Stack gap="sm">
          {hint && (
            <Alert variant="light" color="blue" icon={<IconBulb size={18} />} title="The hint that the model receives">
              {hint}
            </Alert>
          )}
          {actions.map((action) => (
            <FoundCard key={action.action} found={action} />
          ))}
          {found === 0 && !hint && <Text c="dimmed">None of the actions that this key can use contains these words.</Text>}
        </Stack>
      </Region>
      {more.length > 0 && (
        <Region title="More matches" description="Too long to include in full. Search for the exact id to see all.">
          <Paper withBorder p="sm">
            <Stack gap="sm">
              {more.map((action) => (
                <Named key={action.action} action={action} />
              ))}
            </Stack>
          </Paper>
        </Region>
      )}
      {offline.length > 0 && (
        <Region title="Offline now" description="These match too, but their toolkit is not connected.">
          <Group gap="sm">
            {offline.map((id) => (
              <Anchor key={id} size="sm" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
                {id}
              </Anchor>
            ))}
          </Group>
        </Region>
      )}
    </Stack>
  );
}

function Named({ action: { action: id, description, mentionedBy } }: { action: MoreAction }) {
  return (
    <div>
      <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
        {id}
      </Anchor>
      {description && (
        <Text size="sm" c="dimmed" className="written">
          {description}
        </Text>
      )}
      {mentionedBy && (
        <Text size="xs" c="dimmed">
          Listed because <span className="ids">{mentionedBy}</span> mentions it
        </Text>
      )}
    </div>
  );
}
