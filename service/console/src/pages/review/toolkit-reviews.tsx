/** The actions of one toolkit that wait, with the findings about the toolkit as a whole said once. */
import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Review } from '#sdk/protocol/admin';
import { useApprove } from '../../api/reviews';
import { ConfirmModal } from '../../parts/confirm-modal';
import { FindingList } from '../../parts/finding-list';
import { formatCount, formatPlural } from '../../parts/format';
import { ReviewRow } from './review-row';

export function ToolkitReviews({ toolkit, reviews }: { toolkit: string; reviews: readonly Review[] }) {
  const [asking, { open, close }] = useDisclosure();
  const findings = new Map(
    reviews.flatMap((review) => review.findings).flatMap((finding) => (finding.action === undefined ? [[finding.message, finding]] : [])),
  );
  const waiting = reviews.filter(({ held }) => held !== 'rejected');
  return (
    <Stack gap="sm" component="section" aria-label={`Toolkit ${toolkit}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" className="ids">
          {toolkit}
        </Title>
        {waiting.length > 1 && (
          <Button size="xs" variant="default" onClick={open}>
            Approve all {formatCount(waiting.length)} shown
          </Button>
        )}
      </Group>
      {findings.size > 0 && (
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            Of the toolkit as a whole, so each of its actions has it:
          </Text>
          <FindingList findings={[...findings.values()]} />
        </Stack>
      )}
      <Stack gap="xs">
        {reviews.map((review) => (
          <ReviewRow key={`${review.action} ${review.hash}`} review={review} />
        ))}
      </Stack>
      {asking && <ApproveAll reviews={waiting} onClose={close} />}
    </Stack>
  );
}

/** Actions with errors are left out: they are approved one by one. */
function ApproveAll({ reviews, onClose }: { reviews: readonly Review[]; onClose: () => void }) {
  const approve = useApprove();
  const good = reviews.filter(({ findings }) => findings.length === 0);
  const left = reviews.length - good.length;
  if (good.length === 0)
    return (
      <ConfirmModal title="All of them have errors" action="Close" onConfirm={async () => {}} onClose={onClose}>
        The linter found errors in each of these actions. Look at them one by one.
      </ConfirmModal>
    );
  return (
    <ConfirmModal
      title={`Approve ${formatPlural(good.length, 'action')}?`}
      action={`Approve ${formatPlural(good.length, 'action')}`}
      onConfirm={() => approve.mutateAsync(good)}
      onClose={onClose}
    >
      <Text size="sm">Agents can find and use them from then on:</Text>
      <List size="sm" my="xs" className="ids scrolled-list">
        {good.map(({ action }) => (
          <List.Item key={action}>{action}</List.Item>
        ))}
      </List>
      {left > 0 && (
        <Text size="sm">
          {formatPlural(left, 'action')} with errors {left === 1 ? 'is' : 'are'} left out. Look at {left === 1 ? 'it' : 'them'} one by one.
        </Text>
      )}
    </ConfirmModal>
  );
}
