import type { Tools } from 'svc-sdk';

export type Call = () => Promise<unknown>;

export interface Calls {
  withAdapter: Call;
  /** A call of the framework's tool that returns a constant: the framework's own cost. */
  empty: Call;
  /** The same call without the adapter. Default: `tools.invoke`. */
  client?: Call;
}

export interface CallCase {
  name: string;
  prepare(tools: Tools): Calls | Promise<Calls>;
}

/** One call of `invoke_service` as the framework makes it, once it is approved. */
export interface AdapterCase extends CallCase {
  /** The entry, such as `ai` for `svc-sdk/ai`. */
  name: string;
  /** The module of the framework, which a program with the adapter imports anyway. */
  framework: string;
}
