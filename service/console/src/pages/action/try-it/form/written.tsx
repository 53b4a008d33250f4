import { Text } from '@mantine/core';

/** Renders a description with its line breaks. */
export function written(description: string | undefined) {
  return description === undefined ? undefined : (
    <Text span inherit className="written">
      {description}
    </Text>
  );
}
