/**
 * Rules on an agent key: which of its calls run, which ask a person first, and which are refused. No model can change or read them.
 *
 * Order:  a rule that denies comes before one that asks, and that before one that allows. Where none matches, the defaults of the service decide.
 * Source: docs/protocol.md, section 12.
 */

export type RuleEffect = 'allow' | 'ask' | 'deny';

/** A hint in the annotations of an action. `undeclared`: it declares neither `readOnly` nor `destructive`. */
export type RuleHint = 'readOnly' | 'destructive' | 'idempotent' | 'openWorld' | 'undeclared';

export const RULE_HINTS: readonly RuleHint[] = ['readOnly', 'destructive', 'idempotent', 'openWorld', 'undeclared'];

/** A test of one place in the payload, with exactly one of the members beside `path`. */
export interface PayloadTest {
  /** JSON Pointer (RFC 6901) into the checked payload. A part `*` matches every item of a list and every member of an object. */
  path: string;
  /** Any JSON. */
  is?: unknown;
  in?: unknown[];
  above?: number;
  below?: number;
  /** A regular expression without constructs that backtrack. It matches anywhere in a text. */
  matches?: string;
  exists?: boolean;
}

/** The calls that a rule is for: all members have to match. `{}` matches every call. */
export interface RuleMatch {
  /** Action id; `*` matches any characters. */
  action?: string;
  /** Toolkit id; `*` matches any characters. */
  toolkit?: string;
  hint?: RuleHint;
  /** An amount: matches actions that may cost more. */
  priceAbove?: string;
  /** All tests have to pass. At most 10. */
  payload?: PayloadTest[];
  /** The user of the call, as its caller names them; `*` matches any characters. */
  user?: string;
}

/**
 * `people`: the owner of the key, owners of the service, and admin keys. `app`: also the agent key of the call itself, for an app that asks its own
 * user. Tokens never decide.
 */
export type ApprovalDecider = 'people' | 'app';

export interface Rule {
  match: RuleMatch;
  do: RuleEffect;
  /** Only with `ask`. Default: `people`. */
  decidedBy?: ApprovalDecider;
}

/** The effect by hint where no rule of a key matches. Absent: `allow`. Of several hints the strictest effect counts. */
export type RuleDefaults = { [hint in RuleHint]?: RuleEffect };
