/**
 * Names that mean the same thing everywhere: wire, search results, static tools, logs.
 *
 * Shape:  action id = `<toolkit id>__<action name>`, at most 64 characters of `[A-Za-z0-9_-]`: what every model provider accepts as a
 *         function name. A toolkit id holds no `__`, so the first `__` is the border.
 */
export const ACTION_ID_SEPARATOR = '__';
export const MAX_ACTION_ID_CHARS = 64;
export const MAX_TOOLKIT_ID_CHARS = 32;

/** The toolkit id of the service's own actions, such as `svc__read_result`: no toolkit may have it. */
export const RESERVED_TOOLKIT_ID = 'svc';

const TOOLKIT_ID = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const ACTION_NAME = /^[A-Za-z0-9_-]+$/;
/** Characters of a wrong action name that its error shows. */
const MAX_SHOWN_CHARS = 100;

export function formatActionId(toolkitId: string, actionName: string): string {
  return `${toolkitId}${ACTION_ID_SEPARATOR}${actionName}`;
}

/** Undefined when the text cannot be an action id. */
export function parseActionId(text: string): { toolkitId: string; actionName: string } | undefined {
  const border = text.indexOf(ACTION_ID_SEPARATOR);
  if (border < 1 || text.length > MAX_ACTION_ID_CHARS) return undefined;
  const toolkitId = text.slice(0, border);
  const actionName = text.slice(border + ACTION_ID_SEPARATOR.length);
  return isToolkitId(toolkitId) && ACTION_NAME.test(actionName) ? { toolkitId, actionName } : undefined;
}

/** Lower case letters, digits, single `-` or `_` between them: `sample-database`. */
export function isToolkitId(text: string): boolean {
  return text.length <= MAX_TOOLKIT_ID_CHARS && TOOLKIT_ID.test(text);
}

/** A sentence that says what is wrong with an action name and what to write; undefined for a good one. */
export function actionNameProblem(name: unknown, toolkitId = ''): string | undefined {
  if (typeof name !== 'string' || name === '') return 'An action needs a name: a non-empty string such as "get_weather"';
  const shown = name.slice(0, MAX_SHOWN_CHARS);
  if (!ACTION_NAME.test(name)) return `Action name ${JSON.stringify(shown)} may hold only A-Z a-z 0-9 _ -; write "${toActionName(shown)}"`;
  const room = MAX_ACTION_ID_CHARS - toolkitId.length - ACTION_ID_SEPARATOR.length;
  if (name.length > room)
    return `Action name ${JSON.stringify(shown)} has ${name.length} characters; at most ${room} fit into the action id`;
  return undefined;
}

export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** Characters of the id of a user or session. */
export const MAX_CALLER_ID_CHARS = 200;

/** A sentence that says what to send in place of a text that a header cannot hold; undefined for a good one. */
export function headerTextProblem(what: string, text: unknown, maxChars: number): string | undefined {
  if (typeof text === 'string' && text.length <= maxChars && /^[\x21-\x7e]+$/.test(text)) return undefined;
  return `${what} must be 1 to ${maxChars} visible ASCII characters without spaces: use encodeURIComponent, or a hash of a longer one`;
}

/** The nearest valid toolkit id to a display name: `Sample Database!` -> `sample-database`. */
export function toToolkitId(name: string): string {
  return slug(name, '-').toLowerCase().slice(0, MAX_TOOLKIT_ID_CHARS).replace(/-+$/, '') || 'toolkit';
}

function toActionName(name: string): string {
  return slug(name, '_').slice(0, MAX_ACTION_ID_CHARS) || 'my_action';
}

function slug(text: string, joint: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .match(/[A-Za-z0-9]+/g);
  return (words ?? []).join(joint);
}
