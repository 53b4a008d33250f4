import type { ActionContext } from 'svc-sdk';
import { Refusal } from './refusal.ts';

/** A handler from plain work: what it returns is the result, its Refusal the error that the agent sees. */
export function answering<Payload>(work: (payload: Payload) => unknown) {
  return async (ctx: ActionContext, payload: Payload) => {
    try {
      return ctx.result(await work(payload));
    } catch (error) {
      throw error instanceof Refusal ? ctx.error(error.code, error.message) : error;
    }
  };
}
