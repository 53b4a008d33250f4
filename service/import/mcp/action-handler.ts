/** The handler of a server's action: selects the caller's process or session, and the approved version of the action. */
import type { ActionConnection, ActionContext, ActionHandler } from 'svc-sdk';
import { untilAborted } from '#sdk/protocol/until-aborted';
import type { CredentialPlace } from '../credential';
import type { Redactor } from '../redactor';
import { RefusedConnection, withConnection } from '../with-connection';
import type { Upstream } from './upstream';
import { RefusedByServer, toUpstreamError, UpstreamError } from './upstream-error';
import type { Upstreams } from './upstreams';

interface HandledAction {
  original: string;
  /** The fingerprint of the action as the operator and the agents saw it. */
  approved: string;
  redactor: Redactor;
  /** The place of the credential of each call's connection. */
  place: CredentialPlace | undefined;
}

export function actionHandler(upstreams: Upstreams, action: HandledAction): ActionHandler<unknown> {
  const { place } = action;
  return (ctx, payload) => {
    const call = (connection?: ActionConnection) => callServer(upstreams, action, { ctx, payload, connection });
    return place ? withConnection(ctx, place, call) : call();
  };
}

interface ServerCall {
  ctx: ActionContext;
  payload: unknown;
  connection: ActionConnection | undefined;
}

async function callServer(upstreams: Upstreams, { original, approved, redactor }: HandledAction, call: ServerCall): Promise<unknown> {
  const { ctx, payload, connection } = call;
  let upstream: Upstream | undefined;
  const renew = connection && (() => connection.refused().then(() => void upstreams.for(ctx, connection)));
  try {
    upstream = upstreams.for(ctx, connection);
    // A start may take longer than the call's timeout. It continues for the next call.
    return await untilAborted(
      ctx.signal,
      upstream.use(({ client, actions }) => {
        const action = actions.get(original);
        // A restarted server may be another version, and one account may have other tools than another.
        if (!action?.approvedBy.includes(approved)) throw upstreamChanged(original, action !== undefined);
        return action.call(client, ctx, payload, renew);
      }),
    );
  } catch (error) {
    const upstreamError = toUpstreamError(error);
    if (!(upstreamError instanceof UpstreamError)) throw error;
    const { code, message, options } = upstreamError;
    const known = upstream?.redactor ?? redactor;
    if (connection && upstreamError instanceof RefusedByServer) throw new RefusedConnection(known.text(message));
    throw ctx.error(code, known.text(message), known.details(options));
  }
}

function upstreamChanged(original: string, isListed: boolean): UpstreamError {
  const change = isListed ? 'changed' : 'no longer has';
  return new UpstreamError('UPSTREAM_CHANGED', `The MCP server ${change} its tool "${original}"; its operator has to look at it first`);
}
