/** What is waited for, until it is there; told to screen readers as it changes. */
import { Group, Loader, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export function LiveLine({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <Group className="live-line" gap="sm" wrap="nowrap" role="status">
      {done ? (
        <ThemeIcon size={22} radius="xl" aria-hidden>
          <IconCheck size={14} />
        </ThemeIcon>
      ) : (
        <Loader size={18} aria-hidden />
      )}
      <div>{children}</div>
    </Group>
  );
}
