import { Badge, Button, Group, Paper, Stack } from '@mantine/core';
import type { Review } from '#sdk/protocol/admin';
import { useApprove } from '../../api/reviews';
import { ActionLink } from '../../parts/action-link';
import { FindingList } from '../../parts/finding-list';
import { FormError } from '../../parts/form-error';
import { ReviewDiff } from './review-diff';

const WHY: Record<NonNullable<Review['held']>, { label: string; color: string }> = {
  new: { label: 'new', color: 'brand' },
  changed: { label: 'changed since its approval', color: 'gray' },
  error: { label: 'has errors', color: 'red' },
};

export function ReviewCard({ review }: { review: Review }) {
  const approve = useApprove();
  const { action, held, findings } = review;
  const why = held && WHY[held];
  return (
    <Paper withBorder p="md" component="article" aria-label={action}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="xs" maw="100%">
            <ActionLink id={action} fw={550} />
            {why && (
              <Badge variant="light" color={why.color} tt="none" fw={500}>
                {why.label}
              </Badge>
            )}
          </Group>
          <Button size="xs" loading={approve.isPending} onClick={() => approve.mutate([review])} aria-label={`Approve ${action}`}>
            Approve
          </Button>
        </Group>
        <FormError error={approve.error} />
        {findings.length > 0 && <FindingList findings={findings} />}
        <ReviewDiff review={review} />
      </Stack>
    </Paper>
  );
}
