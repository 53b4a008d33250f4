import { Text } from '@mantine/core';

/** A description with the line breaks of its author. */
export function written(description: string | undefined) {
  return description === undefined ? undefined : (
    <Text span inherit className="written">
      {description}
    </Text>
  );
}
