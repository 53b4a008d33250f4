import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBulb } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MoreAction, SearchResponse } from '#sdk/protocol/http';
import { formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Region } from '../../parts/region';
import { FoundCard } from './found-card';
import { ModelAnswerView } from './model-answer';
import { WhyThere } from './why-there';

export interface SearchAnswerViewProps {
  query: string;
  /** Id of the agent key that searches. */
  keyId: string;
  answer: UseQueryResult<SearchResponse>;
  maxTokens: number;
}

/** The results for people, next to the JSON that the model receives. */
export function SearchAnswerView({ query, keyId, answer, maxTokens }: SearchAnswerViewProps) {
  return (
    <QueryView query={answer}>
      {(response) => (
        <Grid gap="lg" opacity={answer.isPlaceholderData ? 0.6 : 1}>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Results query={query} keyId={keyId} response={response} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <ModelAnswerView response={response} maxTokens={maxTokens} />
          </Grid.Col>
        </Grid>
      )}
    </QueryView>
  );
}

interface ResultsProps {
  query: string;
  keyId: string;
  response: SearchResponse;
}

function Results({ query, keyId, response: { actions, more = [], offline = [], hint } }: ResultsProps) {
  const [explains, { toggle }] = useDisclosure();
  const found = actions.length + more.length;
  return (
    <Stack gap="lg">
      <Region
        title={found === 0 ? 'No matches' : formatPlural(found, 'action')}
        description={<span className="names">{found === 0 ? `No actions match “${query}”` : `for “${query}”, best match first`}</span>}
        aside={
          actions.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={toggle} aria-pressed={explains}>
              Why this order?
            </Button>
          )
        }
      >
        <Stack gap="sm">
          {hint && (
            <Alert variant="light" color="blue" icon={<IconBulb size={18} />} title="The hint that the model receives">
              {hint}
            </Alert>
          )}
          {actions.map((action) => (
            <FoundCard key={action.action} found={action}>
              {explains && <WhyThere asked={{ action: action.action, query, key: keyId }} />}
            </FoundCard>
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
