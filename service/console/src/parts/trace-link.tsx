/** The OpenTelemetry trace of a call: a link where the settings have the address of traces. */
import { Anchor } from '@mantine/core';
import type { InvocationDetail } from '#sdk/protocol/admin';

export function TraceLink({ id, url }: NonNullable<InvocationDetail['trace']>) {
  if (url === undefined) return <span className="ids">{id}</span>;
  return (
    <Anchor className="ids" c="inherit" size="sm" href={url} target="_blank" rel="noreferrer">
      {id}
    </Anchor>
  );
}
