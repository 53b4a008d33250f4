/** The three kinds of lines, as ../README.md describes them. The schemas fill in missing fields, so that the result always has the same shape. */
import { z } from 'zod';
import { parseActionId } from '../../src/protocol/ids.ts';

/** Source of lines that name none: those of a service's own export and log. */
const NO_SOURCE = 'svc';

const text = z.string().nullish();
const source = text.transform((src) => src || NO_SOURCE);

export const actionLine = z
  .object({ id: z.string().min(1), src: source, toolkit: text, name: text, description: text, payload: z.unknown().optional() })
  .transform(({ id, src, toolkit, name, description, payload }) => ({
    id,
    src,
    toolkit: toolkit || parseActionId(id)?.toolkitId || src,
    name: name || parseActionId(id)?.actionName || lastPart(id),
    description: description ?? '',
    payload: payload ?? undefined,
  }));

export const toolkitLine = z
  .object({ id: z.string().min(1), src: source, name: text, description: text })
  .transform(({ id, src, name, description }) => ({ id, src, name: name || lastPart(id), description: description ?? '' }));

export const queryLine = z
  .object({ qid: z.union([z.string().min(1), z.number()]), src: source, split: text, query: z.string(), relevant: z.array(z.string()) })
  .transform(({ qid, split, ...rest }) => ({ qid: String(qid), split: split ?? undefined, ...rest }));

/** A logged search needs no name of its own. */
export const logLine = z
  .object({ src: source, split: text, query: z.string(), relevant: z.array(z.string()) })
  .transform(({ split, ...rest }) => ({ split: split ?? undefined, ...rest }));

export type ActionLine = z.output<typeof actionLine>;
export type ToolkitLine = z.output<typeof toolkitLine>;
export type QueryLine = z.output<typeof queryLine>;
export type LogLine = z.output<typeof logLine>;

function lastPart(id: string): string {
  return id.split('/').findLast((part) => part !== '') ?? id;
}
