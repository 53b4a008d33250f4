/** `/v1/oauth`: the consent page of an app that a person connects. docs/protocol.md section 10. */
import type { Context } from 'hono';
import * as z from 'zod';
import { authorizationDecision, authorizationRequest } from '#sdk/protocol/connected-app-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { components } from '#sdk/protocol/schemas';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import { keyFacts } from '../../audit/key-facts';
import { toKeyInfo } from '../../keys/key-info';
import { newKey } from '../../keys/new-key';
import type { Decider } from '../../oauth/consents';
import { issuerOf } from '../../oauth/issuer';
import { defineRoute } from '../define-route';
import { originOf } from '../origin-of';
import { ownOrigins } from '../own-origins';
import type { RequestEnv } from '../request-env';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf, undoIfRoleChanged } from './authorize';
import { requireBudgetRight, requireMoreKeys } from './key-rights';

const query = z
  .string()
  .max(16_384, 'may have at most 16384 characters')
  .describe('The query of the address of the consent page, without "?"');

const askedRequest = z.strictObject({ query }).register(components, { id: 'ReadAuthorizationRequest' });

const decision = z
  .strictObject({
    query,
    decision: z.enum(['allow', 'deny'], 'must be "allow" or "deny"'),
    limits: newKey
      .pick({ allow: true, callsPerMinute: true, budget: true, rules: true })
      .exactOptional()
      .describe('Limits of a new key. The key of an earlier connection keeps its own'),
    key: z
      .string()
      .nullable()
      .exactOptional()
      .describe('Id of the key whose limits the person saw, null for none: if there is another by now, nothing is allowed'),
  })
  .register(components, { id: 'DecideAuthorizationRequest' });

export const oauthRoutes = [
  defineRoute({
    id: 'readAuthorizationRequest',
    summary: 'Read the request of an app',
    method: 'POST',
    path: '/v1/oauth/requests',
    access: 'person',
    body: askedRequest,
    answer: authorizationRequest,
    async handle({ context, principal, body }, deps: AdminRouteDeps) {
      const { consents } = await deps.openOAuth();
      return consents.describe(body.query, deciderOf(context, principal, deps));
    },
  }),
  defineRoute({
    id: 'decideAuthorizationRequest',
    summary: 'Connect an app, or do not',
    method: 'POST',
    path: '/v1/oauth/decisions',
    access: 'person',
    body: decision,
    answer: authorizationDecision,
    async handle({ context, principal, body }, deps: AdminRouteDeps) {
      const decider = deciderOf(context, principal, deps);
      const { consents, apps } = await deps.openOAuth();
      if (body.decision === 'deny') return { redirect: await consents.deny(body.query, decider) };
      requireFreshSignIn(principal);
      requireBudgetRight(principal, body.limits ?? {});
      const consent = await consents.allow(body.query, decider, {
        limits: body.limits ?? {},
        shownKey: body.key,
        beforeNewKey: () => requireMoreKeys(principal, deps.keys),
      });
      if (!('key' in consent)) return consent;
      const { key, client, isNew, redirect } = consent;
      await undoIfRoleChanged(context, principal, deps, () => apps.disconnect(key.id, principal.id));
      await deps.audit.write(actorOf(principal), 'app.connect', key.id, { ...client, isNew, key: keyFacts(toKeyInfo(key)) });
      deps.records.changed('keys');
      return { redirect };
    },
  }),
] as const;

function deciderOf(context: Context<RequestEnv>, { kind, id, role }: Principal, deps: AdminRouteDeps): Decider {
  if (kind !== 'person')
    throw new SvcError('NOT_PERMITTED', 'An app acts for a person: sign in to the console, an admin key cannot decide');
  const issuer = issuerOf(originOf(context), deps.publicUrl);
  if (issuer === undefined)
    throw new SvcError('NOT_PERMITTED', 'Apps connect at the public URL of the service: start it with --public-url');
  return { id, role, issuer, origins: ownOrigins(context, deps) };
}
