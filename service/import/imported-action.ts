/** An action that an import makes: what `toolkit.setActions` takes. */
import type { ActionAnnotations, ActionHandler, JsonSchema } from 'svc-sdk';

export interface ImportedAction {
  action: string;
  actionDescription: string;
  payloadDescription: JsonSchema;
  annotations: ActionAnnotations;
  /** A name for people. */
  title?: string | undefined;
  /** JSON Schema of the result. */
  resultDescription?: JsonSchema | undefined;
  handler: ActionHandler<unknown>;
  /** The source has no words about it: its description is made of its name. */
  isUndescribed?: boolean;
}

/** A part of the source that an import does not take. */
export interface SkippedPart {
  /** Such as `PUT /pets/{id}`. */
  what: string;
  /** The part of that action which is left out, such as `body`. Without it, no action was made. */
  part?: string;
  why: string;
}

/** A part of an action that is left out. */
export type LeftOutPart = Required<Omit<SkippedPart, 'what'>>;
