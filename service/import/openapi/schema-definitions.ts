/**
 * The `$defs` of a schema during conversion. At the end, a definition with one use, or no longer than its references, is inlined; circles stay
 * references.
 *
 * Shape: name of the definition -> its schema. A reference is an object of the schema that `addReference` stores.
 */
import type { JsonObject } from '#sdk/protocol/json-object';

interface Reference {
  /** The object with the `$ref`. */
  holder: JsonObject;
  /** The definition that contains it; undefined: the root. */
  from: string | undefined;
  to: string;
  /** The reference applies to the same value as the schema of `from`. */
  inPlace: boolean;
}

export class SchemaDefinitions {
  readonly #schemas = new Map<string, JsonObject>();
  readonly #references: Reference[] = [];

  set(name: string, schema: JsonObject): void {
    this.#schemas.set(name, schema);
  }

  addReference(reference: Reference): void {
    this.#references.push(reference);
  }

  /** Inlines definitions if that is shorter, and returns the others. */
  finish(): Record<string, JsonObject> {
    this.#breakEndless();
    const uses = Map.groupBy(this.#references, ({ to }) => to);
    const open = new Map([...this.#schemas.keys()].map((name) => [name, new Set<string>()]));
    for (const { from, to } of this.#references) if (from !== undefined) open.get(from)?.add(to);
    for (const name of leavesFirst(open)) {
      const schema = this.#schemas.get(name);
      const references = uses.get(name) ?? [];
      if (!schema || !isWorthInlining(name, schema, references.length)) continue;
      for (const { holder } of references) writeOut(holder, schema);
      this.#schemas.delete(name);
    }
    return Object.fromEntries(this.#schemas);
  }

  /** A schema that reaches itself without a property or an item in between is meaningless; the last reference of such a circle is removed. */
  #breakEndless(): void {
    const inPlace = Map.groupBy(
      this.#references.filter((reference) => reference.inPlace && reference.from !== undefined),
      ({ from }) => from as string,
    );
    const state = new Map<string, 'open' | 'done'>();
    const visit = (name: string): void => {
      state.set(name, 'open');
      for (const reference of inPlace.get(name) ?? []) {
        if (state.get(reference.to) === 'open') this.#drop(reference);
        else if (state.get(reference.to) !== 'done') visit(reference.to);
      }
      state.set(name, 'done');
    };
    for (const name of inPlace.keys()) if (!state.has(name)) visit(name);
  }

  #drop(reference: Reference): void {
    delete reference.holder.$ref;
    this.#references.splice(this.#references.indexOf(reference), 1);
  }
}

/** Names whose references all point to earlier names. Names that reach a circle are left out. */
function leavesFirst(open: Map<string, Set<string>>): string[] {
  const users = new Map<string, string[]>();
  for (const [from, targets] of open) for (const to of targets) users.set(to, [...(users.get(to) ?? []), from]);
  const sorted = [...open].filter(([, targets]) => targets.size === 0).map(([name]) => name);
  for (const name of sorted) {
    for (const user of users.get(name) ?? []) {
      const left = open.get(user);
      if (left?.delete(name) && left.size === 0) sorted.push(user);
    }
  }
  return sorted;
}

function isWorthInlining(name: string, schema: JsonObject, uses: number): boolean {
  if (uses <= 1) return true;
  const length = JSON.stringify(schema).length;
  const referenceLength = JSON.stringify({ $ref: `#/$defs/${name}` }).length;
  return uses * length <= length + name.length + uses * referenceLength;
}

/** Texts beside the reference describe this use. */
function writeOut(holder: JsonObject, schema: JsonObject): void {
  const { $ref: _, ...words } = holder;
  delete holder.$ref;
  Object.assign(holder, schema, words);
}
