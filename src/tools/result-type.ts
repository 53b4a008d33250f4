import type { JsonSchema } from '../protocol/http';

/** The result of an action as a type on one line, such as `{id:int, note:string|null}`, of about 100 tokens at most. `any`: unknown. */
export async function resultType(schema: JsonSchema): Promise<string> {
  return (await import('./on-demand')).shortType(schema);
}
