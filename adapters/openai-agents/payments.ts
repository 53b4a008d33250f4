import type { CallPayment } from 'svc-sdk';

/** Payments between the end of a call and the item of its output, whose custom data the Agents SDK asks for on its own: run -> call id -> payment. */
export class Payments {
  readonly #ofRuns = new WeakMap<object, Map<string, CallPayment>>();

  add(run: object | undefined, callId: string | undefined, payment: CallPayment): void {
    if (!run || callId === undefined) return;
    const ofRun = this.#ofRuns.get(run) ?? new Map<string, CallPayment>();
    this.#ofRuns.set(run, ofRun.set(callId, payment));
  }

  take(run: object, callId: string): { payment: CallPayment } | undefined {
    const ofRun = this.#ofRuns.get(run);
    const payment = ofRun?.get(callId);
    ofRun?.delete(callId);
    return payment && { payment };
  }
}
