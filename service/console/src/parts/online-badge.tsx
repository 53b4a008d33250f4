import { Badge } from '@mantine/core';

/** Whether a process serves the toolkit now, in words and colour. */
export function OnlineBadge({ online }: { online: boolean }) {
  return (
    <Badge miw="max-content" variant={online ? 'light' : 'default'} color="brand" tt="none" fw={500}>
      {online ? 'online' : 'offline'}
    </Badge>
  );
}
