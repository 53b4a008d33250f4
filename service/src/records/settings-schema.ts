/** The schema of a setting, for requests of owners and for stored values. */
import * as z from 'zod';
import type { Settings } from '#sdk/protocol/admin';
import { alertMutes, alertRules } from '#sdk/protocol/alert-schemas';
import { ruleDefaults } from '#sdk/protocol/rule-schemas';
import { components } from '#sdk/protocol/schemas';

/** A host with its port, if it is not the usual one; or a private scheme with its colon. */
const APP_HOST = /^(?:[a-z0-9][a-z0-9.-]*(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?|[a-z][a-z0-9+.-]*:)$/;

const TRACE_URL_ADVICE = 'write an http or https address with {traceId} in it, such as https://jaeger.example/trace/{traceId}, or nothing';

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
  wantedTexts: z.enum(['members', 'public'], { error: 'write "members" or "public"' }),
  traceUrl: z.string().max(2_048, { error: TRACE_URL_ADVICE }).refine(isTraceUrl, { error: TRACE_URL_ADVICE }),
  ruleDefaults,
  alertRules,
  alertMutes,
}) satisfies z.ZodType<Settings>;

export const settingsChange = settingsSchema.partial().register(components, { id: 'ChangeSettingsRequest' });

function isTraceUrl(url: string): boolean {
  if (url === '') return true;
  return /^https?:\/\//.test(url) && url.includes('{traceId}') && URL.canParse(url.replaceAll('{traceId}', '0'));
}

function wholeNumber(min: number, max: number, unit: string) {
  const error = `write a whole number from ${min} to ${max} (${unit})`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
