/** What the console asks, and those who manage keys. */
import { ADMIN_PATHS } from '../../../protocol/admin';
import * as schemas from '../../../protocol/admin-schemas';
import { PATHS } from '../../../protocol/http';
import { createdKey } from '../../../protocol/schemas';
import { changeKey } from '../../keys/change-key';
import { newKey } from '../../keys/new-key';
import { settingsChange } from '../../records/settings-schema';
import { settingsPage } from '../admin/settings';
import { type AGENT_COMPONENTS, idempotencyKey, maxResultChars, timeout } from './agent-operations';
import { idParameter, type Operations, queryParameters } from './operation';

export const ADMIN_COMPONENTS = {
  CreateKeyRequest: newKey,
  ChangeKeyRequest: changeKey,
  CreatedKey: createdKey,
  OwnedKey: schemas.ownedKey,
  OwnedKeysPage: schemas.ownedKeysPage,
  ConsoleInfo: schemas.consoleInfo,
  Me: schemas.me,
  PeoplePage: schemas.peoplePage,
  ChangePersonRequest: schemas.changePersonRequest,
  ChangedPerson: schemas.changedPerson,
  RemovedPerson: schemas.removedPerson,
  InvitationsPage: schemas.invitationsPage,
  CreateInvitationRequest: schemas.createInvitationRequest,
  CreatedInvitation: schemas.createdInvitation,
  LookInvitationRequest: schemas.lookInvitationRequest,
  LookedInvitation: schemas.lookedInvitation,
  AcceptInvitationRequest: schemas.acceptInvitationRequest,
  InvocationsPage: schemas.invocationsPage,
  InvocationDetail: schemas.invocationDetail,
  StatsSeries: schemas.statsSeries,
  StatsTop: schemas.statsTop,
  StatsNow: schemas.statsNow,
  ToolkitReportsPage: schemas.toolkitReportsPage,
  ToolkitReportDetail: schemas.toolkitReportDetail,
  ActionReport: schemas.actionReport,
  ActionSummariesPage: schemas.actionSummariesPage,
  RemovedToolkit: schemas.removedToolkit,
  SearchReportsPage: schemas.searchReportsPage,
  AuditPage: schemas.auditPage,
  ChangeSettingsRequest: settingsChange,
  SettingsPage: settingsPage,
  ChangeEvent: schemas.changeEvent,
};

const byId = [idParameter];
const key = `${PATHS.keys}/{id}`;

export const ADMIN_OPERATIONS: Operations<keyof typeof ADMIN_COMPONENTS | keyof typeof AGENT_COMPONENTS> = {
  [PATHS.keys]: {
    get: { summary: 'List keys', key: 'person', answer: 'OwnedKeysPage', parameters: queryParameters(schemas.keysQuery) },
    post: { summary: 'Make a key', key: 'person', body: 'CreateKeyRequest', answer: 'CreatedKey', status: 201 },
  },
  [key]: {
    patch: { summary: 'Change a key', key: 'person', body: 'ChangeKeyRequest', answer: 'OwnedKey', parameters: byId },
    delete: { summary: 'Revoke a key', key: 'person', parameters: byId, status: 204 },
  },
  [`${key}/rotate`]: { post: { summary: 'Give a key a new secret', key: 'person', answer: 'CreatedKey', parameters: byId } },
  [`${key}/search`]: {
    post: {
      summary: 'Find actions as an agent with the key',
      key: 'person',
      body: 'SearchRequest',
      answer: 'SearchResponse',
      parameters: byId,
    },
  },
  [`${key}/resolve`]: {
    post: { summary: 'What an invoke would run', key: 'person', body: 'InvokeRequest', answer: 'ResolveResponse', parameters: byId },
  },
  [`${key}/invoke`]: {
    post: {
      summary: 'Use an action as an agent with the key',
      key: 'person',
      body: 'InvokeRequest',
      answer: 'InvokeResponse',
      parameters: [idParameter, idempotencyKey, timeout, maxResultChars],
      events: true,
    },
  },
  [ADMIN_PATHS.console]: { get: { summary: 'What the sign-in page has to know', key: 'none', answer: 'ConsoleInfo' } },
  [ADMIN_PATHS.me]: { get: { summary: 'Who asks', key: 'person', answer: 'Me' } },
  [ADMIN_PATHS.people]: { get: { summary: 'Who has an account', key: 'owner', answer: 'PeoplePage' } },
  [`${ADMIN_PATHS.people}/{id}`]: {
    patch: { summary: 'Change a role', key: 'owner', body: 'ChangePersonRequest', answer: 'ChangedPerson', parameters: byId },
    delete: { summary: 'Remove an account, and revoke its keys', key: 'owner', answer: 'RemovedPerson', parameters: byId },
  },
  [ADMIN_PATHS.invitations]: {
    get: { summary: 'Invitations that can be used', key: 'owner', answer: 'InvitationsPage' },
    post: { summary: 'Make a one-time link', key: 'owner', body: 'CreateInvitationRequest', answer: 'CreatedInvitation', status: 201 },
  },
  [`${ADMIN_PATHS.invitations}/{id}`]: { delete: { summary: 'Withdraw an invitation', key: 'owner', parameters: byId, status: 204 } },
  [`${ADMIN_PATHS.invitations}/look`]: {
    post: { summary: 'What a one-time link is good for', key: 'none', body: 'LookInvitationRequest', answer: 'LookedInvitation' },
  },
  [`${ADMIN_PATHS.invitations}/accept`]: {
    post: { summary: 'Make the account, or set the password, and sign in', key: 'none', body: 'AcceptInvitationRequest', answer: 'Me' },
  },
  [ADMIN_PATHS.invocations]: {
    get: {
      summary: 'Calls, newest first',
      key: 'person',
      answer: 'InvocationsPage',
      parameters: queryParameters(schemas.invocationsQuery),
    },
  },
  [`${ADMIN_PATHS.invocations}/export`]: {
    get: {
      summary: 'Calls as a file, newest first',
      key: 'person',
      answer: 'text',
      parameters: queryParameters(schemas.invocationsExportQuery),
    },
  },
  [`${ADMIN_PATHS.invocations}/{id}`]: {
    get: { summary: 'All that is kept of a call', key: 'person', answer: 'InvocationDetail', parameters: byId },
  },
  [`${ADMIN_PATHS.stats}/series`]: {
    get: { summary: 'Calls over time', key: 'person', answer: 'StatsSeries', parameters: queryParameters(schemas.seriesQuery) },
  },
  [`${ADMIN_PATHS.stats}/top`]: {
    get: { summary: 'Most called, failing or slowest', key: 'person', answer: 'StatsTop', parameters: queryParameters(schemas.topQuery) },
  },
  [`${ADMIN_PATHS.stats}/now`]: { get: { summary: 'What goes on now', key: 'person', answer: 'StatsNow' } },
  [`${ADMIN_PATHS.reports}/toolkits`]: {
    get: { summary: 'Toolkits', key: 'person', answer: 'ToolkitReportsPage', parameters: queryParameters(schemas.reportsQuery) },
  },
  [`${ADMIN_PATHS.reports}/toolkits/{id}`]: {
    get: { summary: 'One toolkit', key: 'person', answer: 'ToolkitReportDetail', parameters: byId },
    delete: { summary: 'Remove a toolkit, and revoke its keys', key: 'owner', answer: 'RemovedToolkit', parameters: byId },
  },
  [`${ADMIN_PATHS.reports}/actions`]: {
    get: {
      summary: 'Actions by id',
      key: 'person',
      answer: 'ActionSummariesPage',
      parameters: queryParameters(schemas.actionsReportQuery),
    },
  },
  [`${ADMIN_PATHS.reports}/actions/{id}`]: { get: { summary: 'One action', key: 'person', answer: 'ActionReport', parameters: byId } },
  [ADMIN_PATHS.searches]: {
    get: {
      summary: 'What agents looked for',
      key: 'person',
      answer: 'SearchReportsPage',
      parameters: queryParameters(schemas.searchesQuery),
    },
  },
  [ADMIN_PATHS.audit]: {
    get: { summary: 'Who changed what', key: 'owner', answer: 'AuditPage', parameters: queryParameters(schemas.auditQuery) },
  },
  [ADMIN_PATHS.settings]: {
    get: { summary: 'What can be changed, and what cannot', key: 'owner', answer: 'SettingsPage' },
    patch: { summary: 'Change settings', key: 'owner', body: 'ChangeSettingsRequest', answer: 'SettingsPage' },
  },
  [ADMIN_PATHS.events]: { get: { summary: 'That something changed: look again', key: 'person', stream: true } },
};
