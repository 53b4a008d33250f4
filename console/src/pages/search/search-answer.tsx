import { Alert, Anchor, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MoreAction, SearchResponse } from '../../../../src/protocol/http';
import { formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Region } from '../../parts/region';
import { FoundCard } from './found-card';
import { ModelAnswer } from './model-answer';

export interface SearchAnswerProps {
  query: string;
  answer: UseQueryResult<SearchResponse>;
  maxTokens: number;
}

/** Beside each other what people read and what a model gets of it. */
export function SearchAnswer({ query, answer, maxTokens }: SearchAnswerProps) {
  return (
    <QueryView query={answer}>
      {(response) => (
        <Grid gap="lg" opacity={answer.isPlaceholderData ? 0.6 : 1}>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Results query={query} response={response} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <ModelAnswer response={response} maxTokens={maxTokens} />
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
      <Region title={found === 0 ? 'Nothing was found' : formatPlural(found, 'action')} description={`for “${query}”, best first`}>
        <Stack gap="sm">
          {hint && (
            <Alert variant="light" color="blue" icon={<IconBulb size={18} />} title="What the model is told to try next">
              {hint}
            </Alert>
          )}
          {actions.map((action) => (
            <FoundCard key={action.action} found={action} />
          ))}
          {found === 0 && !hint && <Text c="dimmed">No action that this key may use has anything of these words.</Text>}
        </Stack>
      </Region>
      {more.length > 0 && (
        <Region title="More, by name" description="They did not fit in full. A search for the exact id gives the whole.">
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
        <Region title="Offline now" description="They fit as well, but no process serves their toolkit.">
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
          Here because <span className="ids">{mentionedBy}</span> speaks of it
        </Text>
      )}
    </div>
  );
}
