/** `POST /v1/search`: what a model may use now. docs/protocol.md section 4. */
import { Hono } from 'hono';
import { SvcError } from '../../protocol/errors';
import { PATHS, type SearchResponse } from '../../protocol/http';
import { searchRequest } from '../../protocol/schemas';
import { actionInfo } from '../catalog/action-info';
import { allowed } from '../keys/allowed';
import type { AppParts } from './app-parts';
import { jsonBody } from './json-body';
import { admit, type RequestEnv } from './request-env';

const MAX_OFFLINE = 3;

export function searchRoute({ catalog, ranking, hub, gate, limits }: AppParts): Hono<RequestEnv> {
  return new Hono<RequestEnv>().post(PATHS.search, async (context) => {
    const key = await admit(context, gate);
    const { query, limit } = await jsonBody(context, searchRequest, limits);
    if (query.length > limits.queryChars) {
      throw new SvcError('INVALID_REQUEST', `A query may have ${limits.queryChars} characters, this one has ${query.length}`);
    }
    const find = (online: boolean, most: number) =>
      ranking.search(query, { limit: most, accept: (id) => hub.isOnline(id) === online && allowed(key, id) });

    const ids = await find(true, limit);
    const response: SearchResponse = {
      actions: ids.map((id) =>
        actionInfo(
          id,
          catalog.requireAction(id, () => true),
        ),
      ),
    };
    // A model can do nothing with an action that is offline: such ids are told only where they would fill a gap, and without their schemas.
    const offline = ids.length < limit ? await find(false, Math.min(MAX_OFFLINE, limit - ids.length)) : [];
    if (offline.length > 0) response.offline = offline;
    if (ids.length === 0) response.hint = hint(offline.length > 0);
    return context.json(response);
  });
}

function hint(someOffline: boolean): string {
  return someOffline
    ? 'What fits is offline now; try again later, or other words.'
    : 'Nothing fits. Say what the action should do in other or fewer words, such as "convert units" or "weather forecast".';
}
