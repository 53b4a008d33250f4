/** An entry of the audit log as a sentence. */
import type { AuditEntry } from '#sdk/protocol/admin';
import type { Rule } from '#sdk/protocol/rules';
import { formatFullTime } from '../../parts/format';
import { ruleWords } from '../../parts/rule-words';

export interface AuditChange {
  name: string;
  /** Absent for a value that was set, not changed. */
  from?: string;
  to: string;
}

/** The kind of an entry, by the first word of its code. */
type Area<What> = What extends `${infer First}.${string}` ? First : never;

const KINDS = {
  key: 'Keys',
  invitation: 'People',
  person: 'People',
  passkey: 'People',
  session: 'Sign-ins',
  settings: 'Settings',
  toolkit: 'Toolkits',
  actions: 'Toolkits',
  import: 'Toolkits',
  app: 'Apps',
  connection: 'Connections',
  approval: 'Approvals',
  'alert-target': 'Settings',
  call: 'Calls',
} as const satisfies Record<Area<AuditEntry['what']>, string>;
export type AuditKind = (typeof KINDS)[keyof typeof KINDS];
export const AUDIT_KINDS: readonly AuditKind[] = [
  'Keys',
  'Calls',
  'Apps',
  'Connections',
  'Approvals',
  'Toolkits',
  'People',
  'Sign-ins',
  'Settings',
];

/** The first words of the codes of a kind: `invitation`, `person`, `passkey`. */
export const areasOf = (kind: AuditKind): string[] => Object.entries(KINDS).flatMap(([area, name]) => (name === kind ? [area] : []));

const DID: Record<AuditEntry['what'], (name: string) => string> = {
  'key.create': (name) => `created key ${name}`,
  'key.change': (name) => `changed key ${name}`,
  'key.rotate': (name) => `rotated the secret of key ${name}`,
  'key.revoke': (name) => `revoked key ${name}`,
  'call.cancel': (name) => `cancelled a call of ${name}`,
  'invitation.create': (name) => `created an invitation ${name}`,
  'invitation.withdraw': (name) => `revoked an invitation ${name}`,
  'person.join': () => 'joined',
  'person.role': (name) => `changed the role of ${name}`,
  'person.remove': (name) => `removed the account of ${name}`,
  'person.password': () => 'set a new password',
  'person.link': () => 'connected the OpenID provider',
  'person.unlink': () => 'disconnected the OpenID provider',
  'passkey.add': (name) => `added passkey ${name}`,
  'passkey.rename': (name) => `renamed passkey ${name}`,
  'passkey.remove': (name) => `removed passkey ${name}`,
  'session.begin': () => 'signed in',
  'session.end': () => 'ended their own sessions',
  'session.refuse': (name) => `failed to sign in as ${name}`,
  'settings.change': (name) => `changed ${name}`,
  'toolkit.remove': (name) => `removed toolkit ${name}`,
  'import.preview': (name) => `opened a source to import as toolkit ${name}`,
  'import.add': (name) => `imported toolkit ${name}`,
  'import.approve': (name) => `approved changes of the imported toolkit ${name}`,
  'actions.change': (name) => `registered new texts of toolkit ${name}`,
  'actions.approve': (name) => `approved actions of toolkit ${name}`,
  'actions.reject': (name) => `rejected actions of toolkit ${name}`,
  'app.connect': (name) => `connected app ${name}`,
  'app.disconnect': (name) => `disconnected app ${name}`,
  'app.replay': () => 'sent a token that had been replaced, so its sign-in was ended',
  'connection.connect': (name) => `connected an account of toolkit ${name}`,
  'connection.end': (name) => `ended a connection of toolkit ${name}`,
  'connection.refuse': (name) => `confirmed an account of toolkit ${name} for another user, so the account was not connected`,
  'connection.default': (name) => `chose the default connection of toolkit ${name}`,
  'connection.client': (name) => `changed the OAuth client of toolkit ${name}`,
  'connection.reseal': () => 'sealed the stored connections with the present key',
  'approval.approve': (name) => `approved a call of ${name}`,
  'approval.deny': (name) => `denied a call of ${name}`,
  'approval.withdraw': (name) => `tried to approve a call of ${name}, which had changed and was withdrawn`,
  'approval.webhook': () => 'changed the webhook of approvals',
  'alert-target.add': () => 'added a target of alerts',
  'alert-target.remove': () => 'removed a target of alerts',
  'approval.end': (name) => `ended the approval of later calls of ${name} in a session`,
};

/** `Ada Lovelace revoked key “ci”` */
export function sentenceOf(entry: AuditEntry): string {
  return `${actorOf(entry)} ${DID[entry.what](nameOf(entry))}`;
}

function actorOf({ what, actor: { kind, name } }: AuditEntry): string {
  // A provider that takes a refresh token no longer.
  if (what === 'connection.end' && name === 'The provider') return name;
  if (kind === 'command') return 'The command line';
  if (what.startsWith('approval') && kind === 'address') return `The webhook at ${name}`;
  if (kind === 'address') return `A visitor at ${name}`;
  if (what === 'actions.change') return `A key of toolkit “${name}”`;
  if (what === 'app.replay') return `App “${name}”`;
  // An app changes connections with its agent key.
  if (what.startsWith('connection') && kind === 'key') return `Key “${name}”`;
  return kind === 'key' ? `Admin key “${name}”` : name;
}

function nameOf({ what, subject, details }: AuditEntry): string {
  if (what === 'settings.change') return `“${labelOf(subject)}”`;
  if (what.startsWith('connection')) return subject;
  if (what.startsWith('approval')) return `“${String(details.action ?? subject)}”`;
  const name = nameIn(details) ?? nameIn(details.to);
  if (what.startsWith('invitation')) return name === undefined ? 'without a name' : `for “${name}”`;
  return name === undefined ? subject : `“${name}”`;
}

function nameIn(facts: unknown): string | undefined {
  return isFacts(facts) && typeof facts.name === 'string' && facts.name !== '' ? facts.name : undefined;
}

/** Old and new values; for a created or removed item, its values. */
export function changesOf({ what, subject, details }: AuditEntry): AuditChange[] {
  if (what === 'settings.change') return isChange(details) ? [change(subject, details.from, details.to)] : [];
  if (isChange(details) && isFacts(details.from) && isFacts(details.to)) {
    const { from, to } = details;
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return names
      .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
      .map((name) => change(name, from[name], to[name]));
  }
  return Object.entries(details)
    .filter(([name, value]) => name !== 'name' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => (isChange(value) ? change(name, value.from, value.to) : { name: labelOf(name), to: valueText(value) }));
}

/** Labels for field names of the API. */
const LABELS: Record<string, string> = {
  actions: 'SHA-256',
  address: 'from',
  allow: 'access',
  by: 'with',
  callsPerMinute: 'limit per minute',
  clientId: 'client id',
  connectAppHosts: 'Allowed apps',
  connectApps: 'People who may connect apps',
  content: 'Store payloads and results',
  contentBytes: 'Maximum stored size (bytes)',
  document: 'described at',
  email: 'e-mail',
  ended: 'also ended',
  expiresAt: 'expires',
  isNew: 'first time',
  person: 'account',
  redact: 'Fields to redact',
  retentionDays: 'Retention (days)',
  revokedKeys: 'revoked keys',
  sessions: 'sessions',
  sha256: 'SHA-256',
  ruleDefaults: 'Defaults by hint',
  searchTexts: 'Store search texts',
  wantedTexts: 'Wanted in the catalogue',
};

const labelOf = (name: string): string => LABELS[name] ?? name;

const change = (name: string, from: unknown, to: unknown): AuditChange => ({
  name: labelOf(name),
  from: valueText(from),
  to: valueText(to),
});

/** The format of the service's times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.length > 0 ? value.map(valueText).join(value.every(isRule) ? '; ' : ', ') : 'none';
  if (isRule(value)) return ruleWords(value, '');
  if (isFacts(value) && 'perCall' in value) return `${value.perCall} per call, ${value.perDay} per day`;
  if (isFacts(value))
    return (
      Object.entries(value)
        .map(([name, member]) => `${name}: ${valueText(member)}`)
        .join('; ') || 'none'
    );
  return typeof value === 'string' && TIME.test(value) ? formatFullTime(value) : String(value);
}

const isRule = (value: unknown): value is Rule => isFacts(value) && 'match' in value && 'do' in value;

const isFacts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isChange = (value: unknown): value is { from: unknown; to: unknown } => isFacts(value) && 'from' in value && 'to' in value;
