/** An approval that holds for later calls of its conversation, and the button that ends it. */
import { Button, Group, Text } from '@mantine/core';
import { useEndStanding } from '../../api/approvals';
import { FormError } from '../../parts/form-error';
import { TimeAgo } from '../../parts/time-ago';

export function Standing({ id, until }: { id: string; until: string }) {
  const end = useEndStanding(id);
  return (
    <>
      <Group gap="sm">
        <Text size="sm">
          Later calls of this action in this conversation run without a question. This ends <TimeAgo at={until} />.
        </Text>
        <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          End now
        </Button>
      </Group>
      <FormError error={end.error} />
    </>
  );
}
