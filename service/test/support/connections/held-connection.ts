/** `ctx.connection` of a call, with the connections that the service would give after a refusal. */
import type { FrameConnection } from '#sdk/protocol/connections';
import { InvocationConnection } from '#sdk/toolkit/action-connection';
import { ActionError } from '#sdk/toolkit/action-error';

export interface HeldConnection {
  connection: InvocationConnection;
  /** How often another one was asked for. */
  renewals: number;
}

export function heldConnection(frame: FrameConnection, ...later: readonly FrameConnection[]): HeldConnection {
  const held: HeldConnection = {
    renewals: 0,
    connection: new InvocationConnection(frame, async () => {
      const next = later[held.renewals++];
      if (!next) throw new ActionError('CONNECTION_REQUIRED', 'connect again');
      return next;
    }),
  };
  return held;
}
