import { Badge } from '@mantine/core';

/** The online state of the toolkit, in words and colour. */
export function OnlineBadge({ online }: { online: boolean }) {
  return (
    <Badge miw="max-content" variant={online ? 'light' : 'default'} color="brand" tt="none" fw={500}>
      {online ? 'online' : 'offline'}
    </Badge>
  );
}
