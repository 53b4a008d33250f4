/** A part that few people need. Its content is made when it is opened. */
import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export function Folded({ label, children }: { label: string; children: ReactNode }) {
  const [opened, { toggle }] = useDisclosure();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <Box>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Chevron size={14} aria-hidden />}
        onClick={toggle}
        aria-expanded={opened}
      >
        {label}
      </Button>
      {opened && <Box mt="xs">{children}</Box>}
    </Box>
  );
}
