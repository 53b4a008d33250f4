/** Payload and result of one call of a session, loaded when its row opens. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callQuery } from '../../api/invocations';
import { CancelCall } from '../../parts/cancel-call';
import { QueryView } from '../../parts/query-view';
import { TraceLink } from '../../parts/trace-link';
import { CallContent } from '../call/call-content';

export function CallInPlace({ id }: { id: string }) {
  const query = useQuery(callQuery(id));
  return (
    <QueryView query={query} rows={2} failed="Could not load this call">
      {(call) => (
        <Stack gap="sm" py="xs">
          <CallContent call={call} />
          <Group gap="md">
            <CancelCall call={call} />
            <Anchor size="sm" renderRoot={(props) => <Link to="/calls/$id" params={{ id }} {...props} />}>
              Timeline of this call
            </Anchor>
            {call.trace && (
              <Text size="sm" c="dimmed">
                Trace <TraceLink {...call.trace} />
              </Text>
            )}
          </Group>
        </Stack>
      )}
    </QueryView>
  );
}
