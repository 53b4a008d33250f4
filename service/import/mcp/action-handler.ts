/** The handler of a server's action: selects the caller's process or session, and the approved version of the action. */
import type { ActionHandler } from 'svc-sdk';
import { untilAborted } from '#sdk/protocol/until-aborted';
import type { Redactor } from '../redactor';
import { toUpstreamError, UpstreamError } from './upstream-error';
import type { Upstreams } from './upstreams';

interface HandledAction {
  original: string;
  /** The fingerprint of the action as the operator and the agents saw it. */
  approved: string;
  redactor: Redactor;
}

export function actionHandler(upstreams: Upstreams, { original, approved, redactor }: HandledAction): ActionHandler<unknown> {
  return async (ctx, payload) => {
    try {
      const upstream = upstreams.for(ctx);
      // A start may take longer than the call's timeout. It continues for the next call.
      return await untilAborted(
        ctx.signal,
        upstream.use(({ client, actions }) => {
          const action = actions.get(original);
          // A restarted server may be another version.
          if (!action?.approvedBy.includes(approved)) throw upstreamChanged(original, action !== undefined);
          return action.call(client, ctx, payload);
        }),
      );
    } catch (error) {
      const upstreamError = toUpstreamError(error);
      if (!(upstreamError instanceof UpstreamError)) throw error;
      const { code, message, options } = upstreamError;
      throw ctx.error(code, redactor.text(message), redactor.details(options));
    }
  };
}

function upstreamChanged(original: string, isListed: boolean): UpstreamError {
  const change = isListed ? 'changed' : 'no longer has';
  return new UpstreamError('UPSTREAM_CHANGED', `The MCP server ${change} its tool "${original}"; its operator has to look at it first`);
}
