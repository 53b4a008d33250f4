import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** @param id of a run of code */
export function RunLink({ id }: { id: string }) {
  return (
    <Anchor inherit underline="always" className="ids" renderRoot={(props) => <Link to="/runs/$id" params={{ id }} {...props} />}>
      {id}
    </Anchor>
  );
}
