/** `/v1/invitations`: one-time links. Owners make and withdraw them; whoever has one may look at it and accept it, once. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type CreatedInvitation, type InvitationsPage, type LookedInvitation, type Me } from '../../../protocol/admin';
import { acceptInvitationRequest, createInvitationRequest, lookInvitationRequest } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import { invitationFacts, toInvitation } from '../../accounts/invitation-info';
import { People } from '../../accounts/people';
import type { AdminDeps, AppDeps } from '../app-deps';
import { originOf } from '../origin-of';
import { type AdminEnv, actorOf, callerOf, changeBody, ownersOnly, signedIn, storableBody, undoIfChanged } from './admin-env';
import { describeMe } from './me';

export function invitationRoutes(deps: AppDeps, { accounts, publicUrl, records }: AdminDeps): Hono<AdminEnv> {
  const { store, audit } = deps;
  const people = new People(deps);
  const app = new Hono<AdminEnv>();
  const invites = [signedIn(deps), ownersOnly('invite people')] as const;

  app.get(ADMIN_PATHS.invitations, ...invites, async (context) => {
    const open = await store.accounts.invitations(Date.now());
    return context.json<InvitationsPage>({ invitations: open.map(toInvitation) });
  });

  app.post(ADMIN_PATHS.invitations, ...invites, async (context) => {
    const asked = await changeBody(context, createInvitationRequest, deps);
    const created = await people.invite(actorOf(context.get('principal')), asked);
    await undoIfChanged(context, deps, () => store.accounts.withdrawInvitation(created.id, Date.now()));
    records.changed('people');
    return context.json<CreatedInvitation>(created, 201);
  });

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
    const { token } = await storableBody(context, lookInvitationRequest, deps);
    return context.json<LookedInvitation>(await accounts.look(token, callerOf(context)));
  });

  app.post(`${ADMIN_PATHS.invitations}/accept`, async (context) => {
    const asked = await storableBody(context, acceptInvitationRequest, deps);
    const { person, joined, headers } = await accounts.accept(asked, callerOf(context));
    const principal = { kind: 'person', id: person.id, name: person.name, role: person.role } as const;
    await audit.write(actorOf(principal), joined ? 'person.join' : 'person.password', person.id, {
      name: person.name,
      email: person.email,
      role: person.role,
    });
    records.changed('people');
    for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true });
    return context.json<Me>(await describeMe(principal, deps, publicUrl ?? originOf(context)));
  });
  return app;
}
