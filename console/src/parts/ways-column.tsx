import { Table, VisuallyHidden } from '@mantine/core';

/** Over the buttons of each row, which say themselves what they do. */
export function WaysColumn() {
  return (
    <Table.Th scope="col">
      <VisuallyHidden>What to do</VisuallyHidden>
    </Table.Th>
  );
}
