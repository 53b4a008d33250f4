/** `/v1/settings`: settings that owners change at run time, and the options with which the service was started. */
import * as z from 'zod';
import type { Settings, SettingsPage } from '#sdk/protocol/admin';
import { components } from '#sdk/protocol/schemas';
import { settingsChange, settingsSchema } from '../../records/settings-schema';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';

const access = { owner: 'see and change the settings' } as const;

const settingsPage = z
  .object({
    settings: settingsSchema,
    fixed: z
      .array(z.object({ name: z.string(), value: z.string(), meaning: z.string() }))
      .describe('The options of the running service, and what they mean'),
  })
  .register(components, { id: 'SettingsPage' }) satisfies z.ZodType<SettingsPage>;

export const settingsRoutes = [
  defineRoute({
    id: 'getSettings',
    summary: 'Settings, and the options of the running service',
    method: 'GET',
    path: '/v1/settings',
    access,
    answer: settingsPage,
    handle: (_, { records, fixed }: AdminRouteDeps) => ({ settings: records.settings, fixed }),
  }),
  defineRoute({
    id: 'changeSettings',
    summary: 'Change settings',
    method: 'PATCH',
    path: '/v1/settings',
    access,
    body: settingsChange,
    answer: settingsPage,
    async handle({ principal, body }, { records, fixed, audit }: AdminRouteDeps) {
      const before = { ...records.settings };
      // JSON has no undefined.
      const change = body as Partial<Settings>;
      const settings = await records.changeSettings(change);
      for (const name of Object.keys(change) as (keyof Settings)[]) {
        const [from, to] = [before[name], settings[name]];
        if (JSON.stringify(from) === JSON.stringify(to)) continue;
        await audit.write(actorOf(principal), 'settings.change', name, { from, to });
      }
      return { settings, fixed };
    },
  }),
] as const;
