import type { CallPayment } from 'svc-sdk';

/** Payments of ended calls, until the Agents SDK reads the custom data of their output in a separate callback: run -> call id -> payment. */
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
