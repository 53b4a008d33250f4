import { Progress as Bar, Text } from '@mantine/core';
import type { Progress } from '#sdk/protocol/http';

/** The progress that the handler reports while the call runs. */
export function ReportedProgress({ progress: { progress, total, message } }: { progress: Progress }) {
  return (
    <div role="status">
      <Text size="sm" className="written numbers" dir="auto">
        {total === undefined ? progress : `${progress} of ${total}`}
        {message !== undefined && `: ${message}`}
      </Text>
      {total !== undefined && total > 0 && <Bar value={Math.min(100, (100 * progress) / total)} aria-label="Progress" />}
    </div>
  );
}
