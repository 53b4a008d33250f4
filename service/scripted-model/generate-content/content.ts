/** The content of one side: texts, function calls, function responses. */
import * as z from 'zod';
import { withFieldNames } from './field-names.ts';

const object = z.record(z.string(), z.unknown());
/** ProtoJSON accepts both alphabets, with and without padding. */
const base64 = z.string().regex(/^[\w+/-]*={0,2}$/);
const thoughts = { thought: z.boolean().optional(), thoughtSignature: base64.optional() };

/** Scripts read no files. */
const inlineData = withFieldNames(z.strictObject({ inlineData: withFieldNames(z.strictObject({ mimeType: z.string(), data: base64 })) }));

const part = z.union([
  z.strictObject({ text: z.string(), ...thoughts }),
  z.strictObject({ functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: object.optional() }), ...thoughts }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: object,
      parts: z.array(inlineData).optional(),
    }),
    ...thoughts,
  }),
]);

export const contentSchema = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) });

export type Content = z.infer<typeof contentSchema>;
export type Part = Content['parts'][number];
