import { Badge } from '@mantine/core';

/** Marks what a person did with an agent's key. */
export function OriginBadge({ origin }: { origin: 'console' | undefined }) {
  if (origin === undefined) return null;
  return (
    <Badge variant="outline" color="gray" size="sm" tt="none" ml={6} title="A person made this in the console: no rate or report counts it">
      console
    </Badge>
  );
}
