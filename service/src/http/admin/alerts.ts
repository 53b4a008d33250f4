/** `/v1/alerts`: what is wrong now, and where alerts are sent. docs/protocol.md section 10. */
import {
  type Alert,
  type AlertTarget,
  addedAlertTarget,
  alertsPage,
  alertTargetsPage,
  listAlertsQuery,
  newAlertMute,
  newAlertTarget,
  testedAlertTarget,
} from '#sdk/protocol/alert-schemas';
import { type AlertMute, isMuteOver } from '#sdk/protocol/alerts';
import { SvcError } from '#sdk/protocol/errors';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import { newAlertId } from '../../attention/alert-id';
import { failureText } from '../../attention/delivery/alert-deliveries';
import type { StoredTarget } from '../../attention/delivery/alert-targets';
import { toTime } from '../../lib/to-time';
import type { AlertQuery, AlertRecord, TargetState } from '../../store/alert-store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';
import { toolkitsOf } from './visibility';

/** More than the alerts of a service where every toolkit is offline. */
const MOST_OPEN = 10_000;

const access = { owner: 'see and change where alerts are sent' } as const;

export const alertRoutes = [
  defineRoute({
    id: 'listAlerts',
    summary: 'Alerts of now or of before: for members, of their own keys and toolkits',
    method: 'GET',
    path: '/v1/alerts',
    access: 'person',
    query: listAlertsQuery,
    answer: alertsPage,
    async handle({ principal, query }, { store, keys }: AdminRouteDeps) {
      return { alerts: (await store.alerts.list({ ...query, visible: await visibleTo(principal, keys) })).map(toAlert) };
    },
  }),
  defineRoute({
    id: 'checkAlerts',
    summary: 'Check for alerts now, and not within a minute',
    method: 'POST',
    path: '/v1/alerts/check',
    access: { owner: 'check for alerts' },
    answer: alertsPage,
    async handle(_, { attention, store }: AdminRouteDeps) {
      await attention.attention.check();
      return { alerts: (await store.alerts.list({ state: 'open', limit: listAlertsQuery.parse({}).limit })).map(toAlert) };
    },
  }),
  defineRoute({
    id: 'muteAlert',
    summary: 'Mute an alert for a time, or until it is over: it is not shown and not sent',
    method: 'POST',
    path: '/v1/alerts/{id}/mute',
    access: { owner: 'mute alerts' },
    body: newAlertMute,
    async handle({ principal, params: { id }, body }, { attention, store, audit, records }: AdminRouteDeps) {
      const alert = (await store.alerts.list({ state: 'open', limit: MOST_OPEN })).find((each) => each.id === id);
      if (!alert) throw new SvcError('NOT_FOUND', `Alert ${id.slice(0, 100)} is not open: it is over or muted`);
      const { kind, subject } = alert;
      const mute: AlertMute = { kind, subject, ...body };
      if (isMuteOver(mute, Date.now())) throw new SvcError('INVALID_REQUEST', 'until has passed: send a time in the future');
      const { alertMutes: from } = records.settings;
      const others = from.filter((each) => each.kind !== kind || each.subject !== subject);
      const { alertMutes: to } = await records.changeSettings({ alertMutes: [...others, mute] });
      await audit.write(actorOf(principal), 'settings.change', 'alertMutes', { from, to });
      await attention.attention.check();
    },
  }),
  defineRoute({
    id: 'listAlertTargets',
    summary: 'Where alerts are sent, and whether they arrive',
    method: 'GET',
    path: '/v1/alerts/targets',
    access,
    answer: alertTargetsPage,
    async handle(_, { attention, store }: AdminRouteDeps) {
      const states = new Map((await store.alerts.targetStates()).map((state) => [state.target, state]));
      return { targets: (await attention.targets.list()).map((target) => toTarget(target, states.get(target.id))) };
    },
  }),
  defineRoute({
    id: 'addAlertTarget',
    summary: 'Send alerts to a webhook, to Slack or by e-mail, too',
    method: 'POST',
    path: '/v1/alerts/targets',
    access,
    body: newAlertTarget,
    answer: addedAlertTarget,
    status: 201,
    async handle({ principal, body }, { attention, audit, records }: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const { target, secret } = await attention.targets.add(body);
      await audit.write(actorOf(principal), 'alert-target.add', target.id, { kind: target.kind, place: target.place });
      records.changed('alerts');
      return { ...toTarget(target), ...(secret !== undefined && { secret }) };
    },
  }),
  defineRoute({
    id: 'removeAlertTarget',
    summary: 'Send no more alerts to a target',
    method: 'DELETE',
    path: '/v1/alerts/targets/{id}',
    access,
    async handle({ principal, params: { id } }, { attention, store, audit, records }: AdminRouteDeps) {
      const target = await requireTarget(id, attention);
      await attention.targets.remove(id);
      await store.alerts.removeTarget(id);
      await audit.write(actorOf(principal), 'alert-target.remove', id, { kind: target.kind, place: target.place });
      records.changed('alerts');
    },
  }),
  defineRoute({
    id: 'testAlertTarget',
    summary: 'Send a test to a target, once',
    method: 'POST',
    path: '/v1/alerts/targets/{id}/test',
    access,
    answer: testedAlertTarget,
    async handle({ params: { id } }, { attention }: AdminRouteDeps) {
      await requireTarget(id, attention);
      try {
        const channel = await attention.targets.channel(id);
        await channel?.send([testMessage()]);
        return { sent: true };
      } catch (error) {
        return { sent: false, error: failureText(error) };
      }
    },
  }),
] as const;

async function visibleTo(principal: Principal, keys: AdminRouteDeps['keys']): Promise<AlertQuery['visible']> {
  if (principal.role === 'owner') return undefined;
  const own = principal.kind === 'person' ? await keys.records(principal.id) : [];
  return { keyIds: own.map(({ id }) => id), toolkitIds: toolkitsOf(own) };
}

async function requireTarget(id: string, { targets }: AdminRouteDeps['attention']): Promise<StoredTarget> {
  const target = (await targets.list()).find((each) => each.id === id);
  if (!target) throw new SvcError('NOT_FOUND', `Alerts have no target ${id.slice(0, 100)}: it was removed`);
  return target;
}

function testMessage() {
  const alert = {
    kind: 'target-down',
    subject: '',
    severity: 'warning',
    text: 'This is a test: alerts arrive here',
    link: '/alerts',
  } as const;
  const id = newAlertId();
  const record: AlertRecord = { ...alert, id, toolkitId: null, keyId: null, since: Date.now(), endedAt: null };
  return { id: `${id}.begun`, event: 'begun' as const, alert: record, url: undefined };
}

function toAlert({ id, kind, subject, severity, text, link, since, endedAt }: AlertRecord): Alert {
  return { id, kind, subject, severity, text, link, since: toTime(since), ...(endedAt !== null && { endedAt: toTime(endedAt) }) };
}

function toTarget({ id, kind, place, createdAt }: StoredTarget, state?: TargetState): AlertTarget {
  const { failing = null, lastSentAt = null, waiting = 0 } = state ?? {};
  return {
    ...{ id, kind, place, waiting, createdAt: toTime(createdAt) },
    ...(lastSentAt !== null && { lastSentAt: toTime(lastSentAt) }),
    ...(failing && { failing: { error: failing.error, at: toTime(failing.at) } }),
  };
}
