import type { Tools } from 'svc-sdk';

export type Call = () => Promise<unknown>;

export interface Calls {
  withAdapter: Call;
  /** The same call of a tool of the same kind that gives a constant: what the framework takes for itself. */
  empty: Call;
  /** The same call without the adapter; `tools.invoke` unless told. */
  client?: Call;
}

export interface CallCase {
  name: string;
  prepare(tools: Tools): Calls | Promise<Calls>;
}

/** One call of `invoke_service` as the framework makes it, once nobody has to approve it any more. */
export interface AdapterCase extends CallCase {
  /** The entry, such as `ai` for `svc-sdk/ai`. */
  name: string;
  /** What a program that uses the adapter imports anyway. */
  framework: string;
}
