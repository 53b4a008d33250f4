/**
 * Derives the type of the payload from a description that is a literal.
 *
 * Mirrors service/src/payload/short-form.ts, by which the service checks payloads. A value without a derivable type is `unknown`.
 */
export type AnyPayload = Record<string, unknown>;

/** The type of a short form such as `{city: {type: 'string', required: true}}`, or of a JSON Schema with `properties`. */
export type PayloadOf<Description> = string extends keyof Description
  ? AnyPayload
  : Description extends JsonSchemaMark
    ? ObjectOf<Description>
    : Description[keyof Description] extends string | { readonly [keyword: string]: unknown }
      ? Properties<Description>
      : AnyPayload;

type JsonSchemaMark =
  | { readonly $schema: unknown }
  | { readonly $ref: unknown }
  | { readonly properties: unknown }
  | { readonly allOf: unknown }
  | { readonly anyOf: unknown }
  | { readonly oneOf: unknown }
  | { readonly type: JsonTypeName | readonly unknown[] };

type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

type ObjectOf<Schema> = Schema extends { readonly properties: infer Members }
  ? Properties<Members, Schema extends { readonly required: readonly (infer Name)[] } ? Name : never>
  : AnyPayload;

/** A property is required if it has `required: true` or the enclosing object lists it. */
type Properties<Members, Listed = never> = Flat<
  { -readonly [Name in keyof Members as Name extends RequiredIn<Members, Listed> ? Name : never]: ValueOf<Members[Name]> } & {
    -readonly [Name in keyof Members as Name extends RequiredIn<Members, Listed> ? never : Name]?: ValueOf<Members[Name]>;
  }
>;

type RequiredIn<Members, Listed> =
  | Listed
  | { [Name in keyof Members]: Members[Name] extends { readonly required: true } ? Name : never }[keyof Members];

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

type ValueOf<Schema> = Schema extends { readonly nullable: true } ? NotNullValueOf<Schema> | null : NotNullValueOf<Schema>;

type NotNullValueOf<Schema> = Schema extends string
  ? unknown
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly type: readonly (infer Name)[] }
        ? Named<Name, Schema>
        : Schema extends { readonly type: infer Name }
          ? Named<Name, Schema>
          : Schema extends { readonly properties: unknown }
            ? ObjectOf<Schema>
            : IsNestedShortForm<Schema> extends true
              ? PayloadOf<Schema>
              : unknown;

type IsNestedShortForm<Schema> = [keyof Schema & Keyword] extends [never]
  ? [keyof Schema] extends [never]
    ? false
    : string extends keyof Schema
      ? false
      : true
  : false;

/** One union member for each name of a list. */
type Named<Name, Schema> = Name extends `${infer Item}[]`
  ? ScalarOf<Lowercase<Item>>[]
  : Name extends string
    ? Lowercase<Name> extends ArrayName
      ? Schema extends { readonly items: infer Item }
        ? ItemOf<Item>[]
        : unknown[]
      : Lowercase<Name> extends ObjectName
        ? ObjectOf<Schema>
        : ScalarOf<Lowercase<Name>>
    : unknown;

type ItemOf<Item> = Item extends string ? Named<Item, unknown> : Item extends readonly unknown[] ? unknown : ValueOf<Item>;

type ScalarOf<Name> = Name extends keyof Scalars
  ? Scalars[Name]
  : Name extends ArrayName
    ? unknown[]
    : Name extends ObjectName
      ? AnyPayload
      : unknown;

/** As in service/src/payload/type-names.ts. */
type Scalars = Record<
  | ('string' | 'str' | 'text' | 'char' | 'varchar')
  | ('date' | 'datetime' | 'date-time' | 'timestamp' | 'time' | 'uuid' | 'email' | 'uri' | 'url'),
  string
> &
  Record<
    | ('integer' | 'int' | 'long' | 'short' | 'int32' | 'int64' | 'uint' | 'bigint')
    | ('number' | 'float' | 'double' | 'decimal' | 'num' | 'real' | 'float32' | 'float64'),
    number
  > &
  Record<'boolean' | 'bool', boolean> &
  Record<'null' | 'none' | 'nil', null>;

type ArrayName = 'array' | 'list' | 'tuple' | 'set';
type ObjectName = 'object' | 'dict' | 'map' | 'record' | 'struct' | 'json' | 'hash';

/** As in service/src/payload/schema-keywords.ts: with one of these, an object is a schema and not a short form. */
type Keyword =
  | ('additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems' | 'additionalItems' | 'contains' | 'propertyNames')
  | ('not' | 'if' | 'then' | 'else' | 'allOf' | 'anyOf' | 'oneOf' | 'prefixItems')
  | ('properties' | 'patternProperties' | '$defs' | 'definitions' | 'dependentSchemas' | 'items' | 'dependencies' | 'type')
  | ('$ref' | '$dynamicRef' | '$recursiveRef' | '$anchor' | '$dynamicAnchor' | '$schema' | '$id')
  | ('description' | 'title' | '$comment' | 'format' | 'enum' | 'const' | 'default' | 'minimum' | 'maximum')
  | ('exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems')
  | ('minProperties' | 'maxProperties' | 'minContains' | 'maxContains' | 'uniqueItems' | 'nullable')
  | ('required' | 'dependentRequired' | 'pattern');
