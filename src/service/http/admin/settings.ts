/** `/v1/settings`: what owners change while the service runs, and what it was started with. */
import { Hono } from 'hono';
import * as z from 'zod';
import { ADMIN_PATHS, type Settings, type SettingsPage } from '../../../protocol/admin';
import { settingsChange, settingsSchema } from '../../records/settings-schema';
import type { AdminDeps, AppDeps } from '../app-deps';
import { type AdminEnv, actorOf, changeBody, ownersOnly, signedIn } from './admin-env';

export const settingsPage = z.object({
  settings: settingsSchema,
  fixed: z.array(z.object({ name: z.string(), value: z.string(), meaning: z.string() })).describe('What the service was started with'),
}) satisfies z.ZodType<SettingsPage>;

export function settingsRoutes(deps: AppDeps, { records, fixed }: AdminDeps): Hono<AdminEnv> {
  const { audit } = deps;
  const app = new Hono<AdminEnv>();
  app.use(ADMIN_PATHS.settings, signedIn(deps), ownersOnly('see and change the settings'));

  app.get(ADMIN_PATHS.settings, (context) => context.json<SettingsPage>({ settings: records.settings, fixed }));

  app.patch(ADMIN_PATHS.settings, async (context) => {
    const before = { ...records.settings };
    // JSON has no undefined.
    const asked = (await changeBody(context, settingsChange, deps)) as Partial<Settings>;
    const settings = await records.changeSettings(asked);
    for (const name of Object.keys(asked) as (keyof Settings)[]) {
      const [from, to] = [before[name], settings[name]];
      if (JSON.stringify(from) === JSON.stringify(to)) continue;
      await audit.write(actorOf(context.get('principal')), 'settings.change', name, { from, to });
    }
    return context.json<SettingsPage>({ settings, fixed });
  });
  return app;
}
