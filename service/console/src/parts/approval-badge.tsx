import { Badge } from '@mantine/core';
import type { ApprovalStatus } from '#sdk/protocol/approvals';
import { STATUS_WORDS } from './approval-words';

export function ApprovalBadge({ status }: { status: ApprovalStatus }) {
  const { label, color } = STATUS_WORDS[status];
  return (
    <Badge variant="light" color={color} tt="none" fw={500}>
      {label}
    </Badge>
  );
}
