/** An action that an import makes: an item of `toolkit.setActions`. */
import type { ActionAnnotations, ActionHandler, JsonSchema } from 'svc-sdk';
import type { ActionIcon, ActionMeta } from '#sdk/protocol/action-meta';
import type { ActionAuth } from '#sdk/protocol/connections';

export interface ImportedAction {
  action: string;
  actionDescription: string;
  payloadDescription: JsonSchema;
  annotations: ActionAnnotations;
  /** A title for people. */
  title?: string | undefined;
  /** JSON Schema of the result. */
  resultDescription?: JsonSchema | undefined;
  /** `_meta` and icons for MCP clients. */
  meta?: ActionMeta | undefined;
  icons?: readonly ActionIcon[] | undefined;
  /** A call may take longer than the caller waits: up to a day. */
  long?: boolean | undefined;
  /** False if the action needs no connection, or the scopes that it needs of the toolkit's. */
  auth?: ActionAuth | undefined;
  handler: ActionHandler<unknown>;
  /** The source has no description: it is made of the name. */
  isUndescribed?: boolean;
}

/** A part of the source that is not imported. */
export interface SkippedPart {
  /** Such as `PUT /pets/{id}`. */
  what: string;
  /** The part of the action that is left out, such as `body`. Absent: the whole action is. */
  part?: string;
  why: string;
}

/** A part of an action that is left out. */
export type LeftOutPart = Required<Omit<SkippedPart, 'what'>>;
