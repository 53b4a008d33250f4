/** An action that an import makes: what `toolkit.setActions` takes. */
import type { ActionAnnotations, ActionHandler, JsonSchema } from 'svc-sdk';

export interface ImportedAction {
  action: string;
  actionDescription: string;
  payloadDescription: JsonSchema;
  annotations: ActionAnnotations;
  handler: ActionHandler<unknown>;
}

/** A part of the source that did not become an action. */
export interface SkippedPart {
  /** Such as `PUT /pets/{id}`. */
  what: string;
  why: string;
}
