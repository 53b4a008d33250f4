/** `/v1/invitations`: one-time links. Owners create and withdraw them; the holder of a link may read it, and accept it once. */
import {
  acceptInvitationRequest,
  createdInvitation,
  createInvitationRequest,
  invitationPreview,
  invitationsPage,
  me,
  previewInvitationRequest,
} from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import { invitationFacts, toInvitation } from '../../accounts/invitation-info';
import { clientRequest } from '../client-request';
import { defineRoute, STRANGER_BODY_BYTES } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf, undoIfRoleChanged } from './authorize';
import { describeMe } from './me';

const access = { owner: 'invite people' } as const;

export const invitationRoutes = [
  defineRoute({
    id: 'listInvitations',
    summary: 'List open invitations',
    method: 'GET',
    path: '/v1/invitations',
    access,
    answer: invitationsPage,
    async handle(_, { store }: AdminRouteDeps) {
      return { invitations: (await store.accounts.invitations(Date.now())).map(toInvitation) };
    },
  }),
  defineRoute({
    id: 'createInvitation',
    summary: 'Create a one-time link',
    method: 'POST',
    path: '/v1/invitations',
    access,
    body: createInvitationRequest,
    answer: createdInvitation,
    status: 201,
    async handle({ context, principal, body }, deps: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const { people, records, store } = deps;
      const created = await people.invite(actorOf(principal), body);
      await undoIfRoleChanged(context, principal, deps, () => store.accounts.withdrawInvitation(created.id, Date.now()));
      records.changed('people');
      return created;
    },
  }),
  defineRoute({
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    method: 'DELETE',
    path: '/v1/invitations/{id}',
    access,
    async handle({ principal, params: { id } }, { store, audit, records }: AdminRouteDeps) {
      const invitation = (await store.accounts.invitations(Date.now())).find((open) => open.id === id);
      if (!invitation || !(await store.accounts.withdrawInvitation(id, Date.now())))
        throw new SvcError('NOT_FOUND', `There is no open invitation ${id.slice(0, 100)}: it was used, withdrawn or has expired`);
      await audit.write(actorOf(principal), 'invitation.withdraw', id, invitationFacts(invitation));
      records.changed('people');
    },
  }),
  defineRoute({
    id: 'previewInvitation',
    summary: 'The role and the account of a one-time link',
    method: 'POST',
    path: '/v1/invitations/preview',
    access: 'link',
    bodyBytes: STRANGER_BODY_BYTES,
    body: previewInvitationRequest,
    answer: invitationPreview,
    handle: ({ context, body }, { accounts }: AdminRouteDeps) => accounts.previewInvitation(body.token, clientRequest(context)),
  }),
  defineRoute({
    id: 'acceptInvitation',
    summary: 'Create the account, or set the password, and sign in',
    method: 'POST',
    path: '/v1/invitations/accept',
    access: 'link',
    bodyBytes: STRANGER_BODY_BYTES,
    body: acceptInvitationRequest,
    answer: me,
    async handle({ context, body }, deps: AdminRouteDeps) {
      const { person, joined, headers } = await deps.accounts.accept(body, clientRequest(context));
      const { id, name, email, role } = person;
      await deps.audit.write({ kind: 'person', id, name }, joined ? 'person.join' : 'person.password', id, { name, email, role });
      deps.records.changed('people');
      for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true });
      return describeMe(context, { kind: 'person', id, name, role }, deps);
    },
  }),
] as const;
