import { Text } from '@mantine/core';

/** A description as its author broke it into lines. */
export function written(description: string | undefined) {
  return description === undefined ? undefined : (
    <Text span inherit className="written">
      {description}
    </Text>
  );
}
