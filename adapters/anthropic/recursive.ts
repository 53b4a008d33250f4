import type { JsonSchema } from 'svc-sdk';

/** True if a reference of the schema leads back to itself. */
export function isRecursive(schema: JsonSchema): boolean {
  const open = new Set<string>();
  const done = new Set<string>();
  const leadsBack = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { $ref } = value as JsonSchema;
    if (typeof $ref === 'string' && !done.has($ref)) {
      if (open.has($ref)) return true;
      open.add($ref);
      if (leadsBack(target(schema, $ref))) return true;
      open.delete($ref);
      done.add($ref);
    }
    return Object.values(value).some(leadsBack);
  };
  return leadsBack(schema);
}

/** Undefined for a reference to another document, or to an anchor. */
function target(schema: JsonSchema, ref: string): unknown {
  const [document, ...names] = ref.split('/');
  if (document !== '#') return undefined;
  return names.reduce<unknown>((value, name) => {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null ? (value as JsonSchema)[key] : undefined;
  }, schema);
}
