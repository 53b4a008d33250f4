/** The schema of a setting, for requests of owners and for stored values. */
import * as z from 'zod';
import type { Settings } from '#sdk/protocol/admin';
import { ruleDefaults } from '#sdk/protocol/rule-schemas';
import { components } from '#sdk/protocol/schemas';

/** A host with its port, if it is not the usual one; or a private scheme with its colon. */
const APP_HOST = /^(?:[a-z0-9][a-z0-9.-]*(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?|[a-z][a-z0-9+.-]*:)$/;

export const settingsSchema = z.strictObject({
  content: z.enum(['off', 'errors', 'all'], { error: 'write "off", "errors" or "all"' }),
  contentBytes: wholeNumber(256, 262_144, 'bytes'),
  redact: z
    .array(z.string().min(1, { error: 'a name has 1 to 64 characters' }).max(64, { error: 'a name has 1 to 64 characters' }), {
      error: 'write a list of names of members, such as ["password"]',
    })
    .max(100, { error: 'at most 100 names' }),
  retentionDays: wholeNumber(1, 3_650, 'days'),
  connectApps: z.enum(['everyone', 'owners', 'off'], { error: 'write "everyone", "owners" or "off"' }),
  connectAppHosts: z
    .array(z.string().trim().toLowerCase().regex(APP_HOST, { error: 'a host is such as "claude.ai", "localhost" or "cursor:"' }), {
      error: 'write a list of hosts, such as ["claude.ai"]',
    })
    .max(100, { error: 'at most 100 hosts' }),
  searchTexts: z.enum(['off', 'unmet', 'all'], { error: 'write "off", "unmet" or "all"' }),
  ruleDefaults,
}) satisfies z.ZodType<Settings>;

export const settingsChange = settingsSchema.partial().register(components, { id: 'ChangeSettingsRequest' });

function wholeNumber(min: number, max: number, unit: string) {
  const error = `write a whole number from ${min} to ${max} (${unit})`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
