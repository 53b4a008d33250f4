/** zod schemas of `/v1/imports`, as those in `admin-schemas.ts`. */
import * as z from 'zod';
import { lintFinding } from './admin-schemas';
import { toolkitAuth } from './connection-schemas';
import { isToolkitId } from './ids';
import type { HeldChanges, ImportPreview, ImportRequest, ImportStatus } from './imports';
import { actionAnnotations, components, jsonSchema } from './schemas';

const shownSha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 that was shown');

const source = z.strictObject({
  id: z.string().refine(isToolkitId, 'must be a toolkit id: small letters, digits and single hyphens').describe('Id of the toolkit'),
  entry: z.record(z.string(), z.unknown()).describe('The entry of `toolkits.yaml`; `openapi.file` may be a URL'),
  document: z.string().exactOptional().describe('Text of an uploaded OpenAPI document, in place of `openapi.file`'),
});

export const importRequest = source.register(components, { id: 'ImportRequest' }) satisfies z.ZodType<ImportRequest>;

export const addImportRequest = source
  .extend({ sha256: shownSha256.describe('Of the preview that the person saw') })
  .register(components, { id: 'AddImportRequest' });

export const approveImportRequest = z
  .strictObject({ sha256: shownSha256.describe('Of the held changes that the person saw') })
  .register(components, { id: 'ApproveImportRequest' });

export const addedImport = z.object({ id: z.string() }).register(components, { id: 'AddedImport' });

export const importPreview = z
  .object({
    toolkit: z.object({ name: z.string().exactOptional(), description: z.string().exactOptional() }),
    actions: z
      .array(
        z.object({
          action: z.string(),
          title: z.string().exactOptional(),
          actionDescription: z.string(),
          payloadDescription: jsonSchema,
          resultDescription: jsonSchema.exactOptional(),
          annotations: actionAnnotations,
        }),
      )
      .describe('Actions that agents would see, after the filters of the entry'),
    tags: z.array(z.object({ tag: z.string(), actions: z.int() })).describe('Of the whole source, the most frequent first'),
    skipped: z
      .array(z.object({ what: z.string(), part: z.string().exactOptional(), why: z.string() }))
      .describe('Parts of the source that are left out: whole operations, and with `part` a part of an action'),
    targets: z
      .array(z.object({ address: z.string(), actions: z.int(), sent: z.array(z.string()) }))
      .describe('Addresses that the calls go to, with the credentials and headers of the settings that go there'),
    auth: toolkitAuth.exactOptional().describe('The connection of each call, for a source whose calls have one'),
    findings: z.array(lintFinding),
    missing: z.array(z.string()).describe('Variables and credentials that must be set before it works'),
    yaml: z.string().describe('The lines for `toolkits.yaml`'),
    sha256: z.string().describe('Of all that agents would see, and of where their calls go'),
  })
  .register(components, { id: 'ImportPreview' }) satisfies z.ZodType<ImportPreview>;

const heldChanges = z.object({
  changes: z.array(z.object({ kind: z.enum(['new', 'changed', 'renamed', 'gone', 'toolkit']), action: z.string().exactOptional() })),
  diff: z.string().describe('`-` before approved lines, `+` before new ones'),
  sha256: z.string().describe('An approval names it'),
}) satisfies z.ZodType<HeldChanges>;

const importStatus = z.object({
  id: z.string(),
  source: z.string(),
  state: z.enum(['starting', 'online', 'failed']),
  problem: z.string().exactOptional().describe('Why it failed, and what to do next'),
  actions: z.int(),
  held: heldChanges.exactOptional().describe('Differences from the approved actions, which are not served'),
}) satisfies z.ZodType<ImportStatus>;

export const importsPage = z
  .object({
    available: z.boolean().describe('Whether this service can add toolkits: `svc-service serve --toolkits`'),
    imports: z.array(importStatus),
  })
  .register(components, { id: 'ImportsPage' });
