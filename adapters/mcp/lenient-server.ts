/** A server that passes on the arguments of a tool call as they are: models send null, lists and texts, and a protocol error would not reach them. */
import { type Result, Server, type ServerContext } from '@modelcontextprotocol/server';

type RequestHandler = Parameters<Server['_wrapHandler']>[1];

export class LenientServer extends Server {
  /** Calls whose arguments are not an object -> their arguments. */
  readonly #odd = new WeakMap<ServerContext, unknown>();

  /** The arguments of the call, as its client sent them. */
  argumentsOf(ctx: ServerContext, checked: unknown): unknown {
    return this.#odd.has(ctx) ? this.#odd.get(ctx) : checked;
  }

  protected override _wrapHandler(method: string, handler: RequestHandler): RequestHandler {
    const checking = super._wrapHandler(method, handler);
    if (method !== 'tools/call') return checking;
    return (request, ctx): Promise<Result> => {
      const { arguments: input, ...others } = request.params ?? {};
      if (typeof input === 'object' && input !== null && !Array.isArray(input)) return checking(request, ctx);
      this.#odd.set(ctx, input);
      return checking({ ...request, params: others }, ctx);
    };
  }
}
