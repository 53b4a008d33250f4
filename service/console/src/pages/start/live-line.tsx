/** A step's progress, announced to screen readers as it changes. */
import { Group, Loader, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type StepProgress = 'waiting' | 'done' | 'failed';

export function LiveLine({ progress, children }: { progress: StepProgress; children: ReactNode }) {
  return (
    <Group className="live-line" gap="sm" wrap="nowrap" role="status">
      {progress === 'waiting' ? (
        <Loader size={18} aria-hidden />
      ) : (
        <ThemeIcon size={22} radius="xl" color={progress === 'failed' ? 'red.9' : 'brand'} aria-hidden>
          {progress === 'failed' ? <IconX size={14} /> : <IconCheck size={14} />}
        </ThemeIcon>
      )}
      <div>{children}</div>
    </Group>
  );
}
