/** `/v1/invitations`: one-time links. Owners make and withdraw them; whoever has one may look at it and accept it, once. */
import { Hono } from 'hono';
import {
  ADMIN_PATHS,
  type CreatedInvitation,
  type Invitation,
  type InvitationsPage,
  type LookedInvitation,
  type Me,
} from '../../../protocol/admin';
import { acceptInvitationRequest, createInvitationRequest, lookInvitationRequest } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import type { InvitationRecord } from '../../store/console-store';
import { toTime } from '../../to-time';
import type { AdminParts, AppParts } from '../app-parts';
import { jsonBody } from '../json-body';
import { originOf } from '../origin-of';
import { type AdminEnv, actorOf, callerOf, ownersOnly, signedIn } from './admin-env';
import { describeMe } from './me';

export function invitationRoutes(parts: AppParts, { accounts, records }: AdminParts): Hono<AdminEnv> {
  const { store, audit, limits } = parts;
  const app = new Hono<AdminEnv>();
  const invites = [signedIn(parts), ownersOnly('invite people')] as const;

  app.get(ADMIN_PATHS.invitations, ...invites, async (context) => {
    const open = await store.accounts.invitations(Date.now());
    return context.json<InvitationsPage>({ invitations: open.map(toInvitation) });
  });

  app.post(ADMIN_PATHS.invitations, ...invites, async (context) => {
    const asked = await jsonBody(context, createInvitationRequest, limits);
    const invited = 'person' in asked ? await newPassword(asked) : asked;
    const { record, token } = await accounts.invite(invited);
    await audit.write(actorOf(context.get('principal')), 'invitation.create', record.id, invitationFacts(record));
    records.changed('people');
    return context.json<CreatedInvitation>({ ...toInvitation(record), token }, 201);
  });
  const newPassword = async ({ person: id, ...asked }: { person: string; expiresInDays?: number }) => {
    const person = await store.accounts.find(id);
    if (!person) throw new SvcError('NOT_FOUND', `There is no account ${id.slice(0, 100)}: list the people to see who there is`);
    return { ...asked, personId: id, role: person.role, name: person.name };
  };

  app.delete(`${ADMIN_PATHS.invitations}/:id`, ...invites, async (context) => {
    const id = context.req.param('id');
    const record = (await store.accounts.invitations(Date.now())).find((invitation) => invitation.id === id);
    if (!record || !(await store.accounts.withdrawInvitation(id, Date.now())))
      throw new SvcError('NOT_FOUND', `There is no open invitation ${id.slice(0, 100)}: it was used, withdrawn or has expired`);
    await audit.write(actorOf(context.get('principal')), 'invitation.withdraw', id, invitationFacts(record));
    records.changed('people');
    return context.body(null, 204);
  });

  app.post(`${ADMIN_PATHS.invitations}/look`, async (context) => {
    const { token } = await jsonBody(context, lookInvitationRequest, limits);
    return context.json<LookedInvitation>(await accounts.look(token, callerOf(context)));
  });

  app.post(`${ADMIN_PATHS.invitations}/accept`, async (context) => {
    const asked = await jsonBody(context, acceptInvitationRequest, limits);
    const askedAt = Date.now();
    const { person, headers } = await accounts.accept(asked, callerOf(context));
    const principal = { kind: 'person', id: person.id, name: person.name, role: person.role } as const;
    const what = person.createdAt < askedAt ? 'person.password' : 'person.join';
    await audit.write(actorOf(principal), what, person.id, { name: person.name, email: person.email, role: person.role });
    records.changed('people');
    for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true });
    return context.json<Me>(await describeMe(principal, parts, originOf(context)));
  });
  return app;
}

function toInvitation({ id, role, name, personId, createdAt, expiresAt }: InvitationRecord): Invitation {
  return {
    id,
    role,
    ...(name !== null && { name }),
    ...(personId !== null && { person: personId }),
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
  };
}

function invitationFacts(record: InvitationRecord): Record<string, unknown> {
  const { id, createdAt, ...facts } = toInvitation(record);
  return facts;
}
