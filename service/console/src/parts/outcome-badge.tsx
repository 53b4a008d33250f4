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
  // No failure: the same call runs when a person approves it.
  if (code === 'APPROVAL_REQUIRED')
    return (
      <Badge variant="light" color="blue" tt="none">
        {code}
      </Badge>
    );
  return (
    <Badge variant="light" color="red" tt="none">
      {code}
    </Badge>
  );
}
