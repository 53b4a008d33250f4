/** `GET /v1/actions`, `GET /v1/toolkits`: the catalogue as far as the key reaches. docs/protocol.md section 4. */
import { Hono } from 'hono';
import { SvcError } from '../../protocol/errors';
import { type ActionsPage, type CatalogAction, type CatalogToolkit, PATHS, type ToolkitsPage } from '../../protocol/http';
import { actionsQuery, pageQuery } from '../../protocol/schemas';
import { actionInfo } from '../catalog/action-info';
import { nearestIds } from '../catalog/search/nearest-ids';
import { allowed } from '../keys/allowed';
import { parseOrThrow } from '../lib/parse';
import type { KeyRecord, ToolkitRecord } from '../store/store';
import type { AppDeps } from './app-deps';
import { page } from './page';
import { admit, type RequestEnv } from './request-env';

interface Env extends RequestEnv {
  Variables: { key: KeyRecord };
}

const MAX_IDS = 200;

export function catalogRoutes({ catalog, online, gate }: AppDeps): Hono<Env> {
  const app = new Hono<Env>();
  for (const path of [PATHS.actions, `${PATHS.actions}/:id`, PATHS.toolkits, `${PATHS.toolkits}/:id`]) {
    app.use(path, async (context, next) => {
      context.set('key', await admit(context, gate));
      await next();
    });
  }

  const describeAction = (key: KeyRecord, id: string): CatalogAction => {
    const action = catalog.requireAction(id, (other) => allowed(key, other));
    if (!allowed(key, id)) throw new SvcError('ACTION_NOT_ALLOWED', `This key may not use "${id}"`);
    return { ...actionInfo(id, action), toolkit: action.toolkitId, online: online.has(id) };
  };
  const describeToolkit = ({ id, name, description }: ToolkitRecord): CatalogToolkit => {
    const replicas = online.replicas(id);
    return { id, name, description, online: replicas > 0, replicas, actions: catalog.actionCount(id) };
  };
  const visible = (key: KeyRecord, toolkitId: string) => key.allow === null || catalog.actionIds(toolkitId).some((id) => allowed(key, id));
  const requireToolkit = (key: KeyRecord, id: string): ToolkitRecord => {
    const toolkit = catalog.toolkit(id);
    if (toolkit && visible(key, id)) return toolkit;
    const others = catalog.toolkits().filter((other) => visible(key, other.id));
    const didYouMean = nearestIds(
      id,
      others.map((other) => other.id),
    );
    const message = `There is no toolkit "${id.slice(0, 100)}"; its id is what stands before "__" in the ids of its actions`;
    throw new SvcError('TOOLKIT_NOT_FOUND', message, didYouMean.length > 0 ? { didYouMean } : {});
  };

  app.get(PATHS.actions, (context) => {
    const key = context.get('key');
    const { toolkit, ids, limit, cursor } = parseOrThrow(actionsQuery, context.req.query(), 'query');
    if (ids !== undefined) return context.json<ActionsPage>({ actions: splitIds(ids).map((id) => describeAction(key, id)) });
    if (toolkit !== undefined) requireToolkit(key, toolkit);
    const { items, nextCursor } = page(
      catalog.actionIds(toolkit).filter((id) => allowed(key, id)),
      { limit, cursor },
    );
    return context.json<ActionsPage>({ actions: items.map((id) => describeAction(key, id)), ...nextCursor });
  });
  app.get(`${PATHS.actions}/:id`, (context) => context.json<CatalogAction>(describeAction(context.get('key'), context.req.param('id'))));
  app.get(PATHS.toolkits, (context) => {
    const key = context.get('key');
    const { limit, cursor } = parseOrThrow(pageQuery, context.req.query(), 'query');
    const all = catalog.toolkits().filter(({ id }) => visible(key, id));
    const { items, nextCursor } = page(
      all.map(({ id }) => id),
      { limit, cursor },
    );
    return context.json<ToolkitsPage>({ toolkits: items.map((id) => describeToolkit(requireToolkit(key, id))), ...nextCursor });
  });
  app.get(`${PATHS.toolkits}/:id`, (context) => {
    return context.json<CatalogToolkit>(describeToolkit(requireToolkit(context.get('key'), context.req.param('id'))));
  });
  return app;
}

function splitIds(ids: string): string[] {
  const list = [...new Set(ids.split(',').filter((id) => id !== ''))];
  if (list.length > MAX_IDS) throw new SvcError('INVALID_REQUEST', `At most ${MAX_IDS} ids at a time, not ${list.length}`);
  return list;
}
