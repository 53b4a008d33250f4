/** What the console asks, and those who manage keys. */
import { ADMIN_PATHS } from '../../../protocol/admin';
import * as schemas from '../../../protocol/admin-schemas';
import { PATHS } from '../../../protocol/http';
import { createdKey } from '../../../protocol/schemas';
import { changeKey } from '../../keys/change-key';
import { newKey } from '../../keys/new-key';
import { settingsChange } from '../../records/settings-schema';
import { settingsPage } from '../admin/settings';
import { type AGENT_COMPONENTS, idempotencyKey, maxResultChars, SEARCH_ID_OF_ANSWER, searchId, timeout } from './agent-operations';
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
    get: { id: 'listKeys', summary: 'List keys', key: 'person', answer: 'OwnedKeysPage', parameters: queryParameters(schemas.keysQuery) },
    post: { id: 'createKey', summary: 'Make a key', key: 'person', body: 'CreateKeyRequest', answer: 'CreatedKey', status: 201 },
  },
  [key]: {
    patch: { id: 'changeKey', summary: 'Change a key', key: 'person', body: 'ChangeKeyRequest', answer: 'OwnedKey', parameters: byId },
    delete: { id: 'revokeKey', summary: 'Revoke a key', key: 'person', parameters: byId, status: 204 },
  },
  [`${key}/rotate`]: {
    post: { id: 'rotateKey', summary: 'Give a key a new secret', key: 'person', answer: 'CreatedKey', parameters: byId },
  },
  [`${key}/search`]: {
    post: {
      id: 'searchActionsAsKey',
      summary: 'Find actions as an agent with the key',
      key: 'person',
      body: 'SearchRequest',
      answer: 'SearchResponse',
      parameters: [idParameter, searchId],
      answerHeaders: SEARCH_ID_OF_ANSWER,
    },
  },
  [`${key}/resolve`]: {
    post: {
      id: 'resolveActionAsKey',
      summary: 'What an invoke would run',
      key: 'person',
      body: 'InvokeRequest',
      answer: 'ResolveResponse',
      parameters: byId,
    },
  },
  [`${key}/invoke`]: {
    post: {
      id: 'invokeActionAsKey',
      summary: 'Use an action as an agent with the key',
      key: 'person',
      body: 'InvokeRequest',
      answer: 'InvokeResponse',
      parameters: [idParameter, idempotencyKey, timeout, maxResultChars, searchId],
      events: true,
    },
  },
  [ADMIN_PATHS.console]: {
    get: { id: 'getConsoleInfo', summary: 'What the sign-in page has to know', key: 'none', answer: 'ConsoleInfo' },
  },
  [ADMIN_PATHS.me]: { get: { id: 'getMe', summary: 'Who asks', key: 'person', answer: 'Me' } },
  [ADMIN_PATHS.people]: { get: { id: 'listPeople', summary: 'Who has an account', key: 'owner', answer: 'PeoplePage' } },
  [`${ADMIN_PATHS.people}/{id}`]: {
    patch: {
      id: 'changePerson',
      summary: 'Change a role',
      key: 'owner',
      body: 'ChangePersonRequest',
      answer: 'ChangedPerson',
      parameters: byId,
    },
    delete: {
      id: 'removePerson',
      summary: 'Remove an account, and revoke its keys',
      key: 'owner',
      answer: 'RemovedPerson',
      parameters: byId,
    },
  },
  [ADMIN_PATHS.invitations]: {
    get: { id: 'listInvitations', summary: 'Invitations that can be used', key: 'owner', answer: 'InvitationsPage' },
    post: {
      id: 'createInvitation',
      summary: 'Make a one-time link',
      key: 'owner',
      body: 'CreateInvitationRequest',
      answer: 'CreatedInvitation',
      status: 201,
    },
  },
  [`${ADMIN_PATHS.invitations}/{id}`]: {
    delete: { id: 'withdrawInvitation', summary: 'Withdraw an invitation', key: 'owner', parameters: byId, status: 204 },
  },
  [`${ADMIN_PATHS.invitations}/look`]: {
    post: {
      id: 'lookAtInvitation',
      summary: 'What a one-time link is good for',
      key: 'none',
      body: 'LookInvitationRequest',
      answer: 'LookedInvitation',
    },
  },
  [`${ADMIN_PATHS.invitations}/accept`]: {
    post: {
      id: 'acceptInvitation',
      summary: 'Make the account, or set the password, and sign in',
      key: 'none',
      body: 'AcceptInvitationRequest',
      answer: 'Me',
    },
  },
  [ADMIN_PATHS.invocations]: {
    get: {
      id: 'listInvocations',
      summary: 'Calls, newest first',
      key: 'person',
      answer: 'InvocationsPage',
      parameters: queryParameters(schemas.invocationsQuery),
    },
  },
  [`${ADMIN_PATHS.invocations}/export`]: {
    get: {
      id: 'exportInvocations',
      summary: 'Calls as a file, newest first',
      key: 'person',
      answer: 'text',
      parameters: queryParameters(schemas.invocationsExportQuery),
    },
  },
  [`${ADMIN_PATHS.invocations}/{id}`]: {
    get: { id: 'getInvocation', summary: 'All that is kept of a call', key: 'person', answer: 'InvocationDetail', parameters: byId },
  },
  [`${ADMIN_PATHS.stats}/series`]: {
    get: {
      id: 'getStatsSeries',
      summary: 'Calls over time',
      key: 'person',
      answer: 'StatsSeries',
      parameters: queryParameters(schemas.seriesQuery),
    },
  },
  [`${ADMIN_PATHS.stats}/top`]: {
    get: {
      id: 'getStatsTop',
      summary: 'Most called, failing or slowest',
      key: 'person',
      answer: 'StatsTop',
      parameters: queryParameters(schemas.topQuery),
    },
  },
  [`${ADMIN_PATHS.stats}/now`]: { get: { id: 'getStatsNow', summary: 'What goes on now', key: 'person', answer: 'StatsNow' } },
  [`${ADMIN_PATHS.reports}/toolkits`]: {
    get: {
      id: 'listToolkitReports',
      summary: 'Toolkits',
      key: 'person',
      answer: 'ToolkitReportsPage',
      parameters: queryParameters(schemas.reportsQuery),
    },
  },
  [`${ADMIN_PATHS.reports}/toolkits/{id}`]: {
    get: { id: 'getToolkitReport', summary: 'One toolkit', key: 'person', answer: 'ToolkitReportDetail', parameters: byId },
    delete: {
      id: 'removeToolkit',
      summary: 'Remove a toolkit, and revoke its keys',
      key: 'owner',
      answer: 'RemovedToolkit',
      parameters: byId,
    },
  },
  [`${ADMIN_PATHS.reports}/actions`]: {
    get: {
      id: 'listActionReports',
      summary: 'Actions by id',
      key: 'person',
      answer: 'ActionSummariesPage',
      parameters: queryParameters(schemas.actionsReportQuery),
    },
  },
  [`${ADMIN_PATHS.reports}/actions/{id}`]: {
    get: { id: 'getActionReport', summary: 'One action', key: 'person', answer: 'ActionReport', parameters: byId },
  },
  [ADMIN_PATHS.searches]: {
    get: {
      id: 'listSearches',
      summary: 'What agents looked for',
      key: 'person',
      answer: 'SearchReportsPage',
      parameters: queryParameters(schemas.searchesQuery),
    },
  },
  [ADMIN_PATHS.audit]: {
    get: {
      id: 'listAuditEntries',
      summary: 'Who changed what',
      key: 'owner',
      answer: 'AuditPage',
      parameters: queryParameters(schemas.auditQuery),
    },
  },
  [ADMIN_PATHS.settings]: {
    get: { id: 'getSettings', summary: 'What can be changed, and what cannot', key: 'owner', answer: 'SettingsPage' },
    patch: { id: 'changeSettings', summary: 'Change settings', key: 'owner', body: 'ChangeSettingsRequest', answer: 'SettingsPage' },
  },
  [ADMIN_PATHS.events]: { get: { id: 'streamChanges', summary: 'That something changed: look again', key: 'person', stream: true } },
};
