/** One action to approve or reject: a line that opens to its texts and findings. */
import { ActionIcon, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { Review } from '#sdk/protocol/admin';
import { useApprove } from '../../api/reviews';
import { ActionLink } from '../../parts/action-link';
import { ConfirmModal } from '../../parts/confirm-modal';
import { FindingList } from '../../parts/finding-list';
import { FormError } from '../../parts/form-error';
import { formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { RejectModal } from './reject-modal';
import { ReviewDiff } from './review-diff';

const WHY: Record<NonNullable<Review['held']>, { label: string; color: string }> = {
  new: { label: 'new', color: 'brand' },
  changed: { label: 'changed since its approval', color: 'gray' },
  error: { label: 'has errors', color: 'red' },
  rejected: { label: 'rejected', color: 'gray' },
};

export function ReviewRow({ review }: { review: Review }) {
  const [opened, { toggle }] = useDisclosure();
  const { action, held, findings, rejection } = review;
  const why = held && WHY[held];
  const own = findings.filter((finding) => finding.action !== undefined);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <Paper withBorder px="sm" py={6} component="article" aria-label={action}>
      <Group justify="space-between" gap="sm">
        <Group gap="xs" maw="100%" flex={1} miw="12rem">
          <ActionIcon variant="subtle" color="gray" onClick={toggle} aria-expanded={opened} aria-label={`Texts of ${action}`}>
            <Chevron size={16} aria-hidden />
          </ActionIcon>
          <ActionLink id={action} fw={550} />
          {why && (
            <Badge variant="light" color={why.color} tt="none" fw={500}>
              {why.label}
            </Badge>
          )}
          {findings.length > 0 && held !== 'error' && (
            <Badge variant="light" color="red" tt="none" fw={500}>
              {formatPlural(findings.length, 'error')}
            </Badge>
          )}
        </Group>
        <Decision review={review} />
      </Group>
      {rejection && (
        <Text size="sm" c="dimmed" className="written">
          “{rejection.reason}” (<TimeAgo at={rejection.at} />)
        </Text>
      )}
      {opened && (
        <Stack gap="sm" py="xs">
          {own.length > 0 && <FindingList findings={own} />}
          <ReviewDiff review={review} />
        </Stack>
      )}
    </Paper>
  );
}

/** An action with errors is approved after a question. */
function Decision({ review }: { review: Review }) {
  const approve = useApprove();
  const [asking, question] = useDisclosure();
  const [rejecting, rejection] = useDisclosure();
  const { action, held, findings } = review;
  const hasErrors = held === 'error' || findings.length > 0;
  return (
    <>
      <Group gap="xs">
        {held !== 'rejected' && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={rejection.open} aria-label={`Reject ${action}`}>
            Reject
          </Button>
        )}
        <Button
          size="compact-sm"
          {...(hasErrors && { variant: 'default' })}
          loading={approve.isPending && !asking}
          onClick={() => (hasErrors ? question.open() : approve.mutate([review]))}
          aria-label={`Approve ${action}`}
        >
          {hasErrors ? 'Approve…' : 'Approve'}
        </Button>
      </Group>
      {approve.error !== null && !asking && <FormError error={approve.error} />}
      {asking && (
        <ConfirmModal
          title={`Approve ${action} with errors?`}
          action="Approve with errors"
          onConfirm={() => approve.mutateAsync([review])}
          onClose={question.close}
        >
          The linter found {formatPlural(findings.length, 'error')}: {findings.map(({ message }) => message).join('; ')}. Agents can use the
          action as it is from then on.
        </ConfirmModal>
      )}
      {rejecting && <RejectModal review={review} onClose={rejection.close} />}
    </>
  );
}
