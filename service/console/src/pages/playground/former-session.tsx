/** The searches of an earlier session, as far as their texts are kept, to be sent again as messages. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/request';
import { QueryView } from '../../parts/query-view';

export function FormerSession({ session, isRunning, onSend }: { session: string; isRunning: boolean; onSend: (text: string) => void }) {
  const query = useQuery({
    queryKey: ['sessions', 'rerun', session],
    queryFn: ({ signal }) => api('GET /v1/sessions/{id}', { params: { id: session }, query: { limit: 200 }, signal }),
  });
  return (
    <QueryView query={query} failed="Could not load the session">
      {({ entries }) => {
        const texts = entries.flatMap((entry) => (entry.kind === 'search' && entry.query !== undefined ? [entry.query] : []));
        return (
          <Alert variant="light" title={`Run session ${session} again`} mb="md">
            <Text size="sm">
              {texts.length === 0
                ? 'The texts of its searches are not kept.'
                : 'Its searches, in their order. The messages of the user are not known to the service.'}
            </Text>
            <Group gap="xs" mt="xs">
              {[...new Set(texts)].map((text) => (
                <Button key={text} size="compact-sm" variant="default" disabled={isRunning} onClick={() => onSend(text)}>
                  {text}
                </Button>
              ))}
            </Group>
          </Alert>
        );
      }}
    </QueryView>
  );
}
