/** The turns of a conversation, and the function call of each function response. */
import type { Content, Part } from './content.ts';

export type Turn = Content;

/** Merges neighbouring contents of one role into a turn: a stream leaves several contents. */
export function toTurns(contents: Content[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, parts } of contents) {
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  }
  return turns;
}

export function functionCallsOf(parts: Part[]) {
  return parts.flatMap((part) => ('functionCall' in part ? [part.functionCall] : []));
}

export function functionResponsesOf(parts: Part[]) {
  return parts.flatMap((part) => ('functionResponse' in part ? [part.functionResponse] : []));
}

/** Finds the call by its id; calls without an id are matched in order. */
export function responseTo<Response extends { id?: string | undefined }>(
  call: { id?: string | undefined },
  place: number,
  responses: Response[],
) {
  return call.id === undefined ? responses[place] : responses.find(({ id }) => id === call.id);
}

export function textOf(parts: Part[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}
