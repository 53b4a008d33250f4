/** Whether the catalogue names the person beside their toolkits. */
import { Anchor, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { api } from '../../api/request';
import { Section } from '../../parts/section';
import { showFailure } from '../../parts/show-failure';

export function Publisher({ me }: { me: Me }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (shown: boolean) => api('PUT /v1/me/publisher', { body: { shown } }),
    onSuccess: (changed) => client.setQueryData(meQuery.queryKey, changed),
    onError: (error) => showFailure('Not changed', error),
  });
  return (
    <Section title="Catalogue">
      <Switch
        label="Show my name as publisher of my toolkits"
        checked={change.isPending ? change.variables : (me.publisher ?? false)}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      <Text size="sm" c="dimmed" mt="xs">
        In the{' '}
        <Anchor inherit href="/catalogue" underline="always">
          catalogue
        </Anchor>
        , which may be public. Your e-mail address is never shown.
      </Text>
    </Section>
  );
}
