/** The outcome of a call, in words and colour. */
import { Badge } from '@mantine/core';

/** @param code `OK` or an error code; undefined while it runs */
export function OutcomeBadge({ code }: { code: string | undefined }) {
  if (code === undefined)
    return (
      <Badge variant="light" color="blue">
        running
      </Badge>
    );
  if (code === 'OK')
    return (
      <Badge variant="light" color="brand">
        ok
      </Badge>
    );
  return (
    <Badge variant="light" color="red" tt="none">
      {code}
    </Badge>
  );
}
