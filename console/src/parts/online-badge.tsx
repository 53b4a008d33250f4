import { Badge } from '@mantine/core';

/** Whether a process serves it now: said in words, not by colour alone. */
export function OnlineBadge({ online }: { online: boolean }) {
  return (
    <Badge miw="max-content" variant={online ? 'light' : 'default'} color="brand" tt="none" fw={500}>
      {online ? 'online' : 'offline'}
    </Badge>
  );
}
