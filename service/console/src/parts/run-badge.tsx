import { Badge } from '@mantine/core';
import type { RunInfo } from '#sdk/protocol/kept-run-schemas';

const LOOKS: Record<RunInfo['status'], { color: string; text: string }> = {
  running: { color: 'blue', text: 'running' },
  waiting: { color: 'blue', text: 'waiting' },
  done: { color: 'brand', text: 'done' },
  failed: { color: 'red', text: 'failed' },
};

export function RunBadge({ status }: Pick<RunInfo, 'status'>) {
  const { color, text } = LOOKS[status];
  return (
    <Badge color={color} variant="light" tt="none">
      {text}
    </Badge>
  );
}
