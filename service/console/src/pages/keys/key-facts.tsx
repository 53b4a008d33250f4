import { Anchor, Badge, DataList, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallCounts, ConnectedApp, OwnedKey } from '#sdk/protocol/admin';
import { appTitle } from '../../parts/app-words';
import { formatFullTime, formatMs, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { KeyBudget } from './key-budget';
import { KeyRules } from './key-rules';
import { toRows } from './key-scope';
import { LimitUse, Refused } from './key-use';

export interface KeyFactsProps {
  info: OwnedKey;
  counts: CallCounts | undefined;
  /** The connected app whose key it is, while it has a sign-in. */
  app: ConnectedApp | undefined;
}

export function KeyFacts({ info, counts, app }: KeyFactsProps) {
  const { id, kind, owner, toolkit, callsPerMinute, createdAt, lastUsedAt, expiresAt, revokedAt, formerSecretUntil } = info;
  const isAgent = kind === 'agent';
  return (
    <DataList withDivider labelWidth="9rem">
      <Fact label="Id">
        <span className="ids">{id}</span>
      </Fact>
      {info.app && (
        <Fact label="Connected app">
          {app ? `${appTitle(app.client)}, ${formatPlural(app.signIns, 'sign-in')}` : 'no sign-in that has not ended'}
        </Fact>
      )}
      {toolkit && (
        <Fact label="Toolkit">
          <Anchor inherit className="ids" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: toolkit }} {...props} />}>
            {toolkit}
          </Anchor>
        </Fact>
      )}
      {isAgent && (
        <Fact label="Access">
          <Scope info={info} />
        </Fact>
      )}
      {isAgent && (
        <Fact label="Rules">
          <KeyRules rules={info.rules} />
        </Fact>
      )}
      {isAgent && (
        <Fact label="Limit per minute">{callsPerMinute === undefined ? 'none' : <LimitUse id={id} limit={callsPerMinute} />}</Fact>
      )}
      {isAgent && (
        <Fact label="Budget">
          <KeyBudget info={info} />
        </Fact>
      )}
      {isAgent && (
        <Fact label="Last 24 hours">
          {formatPlural(counts?.calls ?? 0, 'call')}, {formatPlural(counts?.errors ?? 0, 'error')}
          {counts?.p95Ms !== undefined && `, 95% within ${formatMs(counts.p95Ms)}`}
        </Fact>
      )}
      {isAgent && (
        <Fact label="Refused">
          <Refused info={info} counts={counts} />
        </Fact>
      )}
      {info.connect?.returnUrl && (
        <Fact label="Return URL">
          <span className="ids">{info.connect.returnUrl}</span>
        </Fact>
      )}
      {info.connect?.webhookUrl && (
        <Fact label="Webhook">
          <span className="ids">{info.connect.webhookUrl}</span>
        </Fact>
      )}
      <Fact label="Owner">{owner?.name ?? 'None (created by CLI or admin key, or its owner was removed)'}</Fact>
      <Fact label="Created">
        <TimeAgo at={createdAt} />
      </Fact>
      <Fact label="Last used">{lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never'}</Fact>
      {formerSecretUntil && !revokedAt && Date.parse(formerSecretUntil) > Date.now() && (
        <Fact label="Former secret">works until {formatFullTime(formerSecretUntil)}</Fact>
      )}
      {expiresAt && (
        <Fact label={Date.parse(expiresAt) > Date.now() ? 'Expires' : 'Expired'}>
          <TimeAgo at={expiresAt} />
        </Fact>
      )}
      {revokedAt && (
        <Fact label="Revoked">
          <TimeAgo at={revokedAt} />
        </Fact>
      )}
    </DataList>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

function Scope({ info: { allow } }: { info: OwnedKey }) {
  if (!allow) return 'All actions, including future ones';
  const rows = toRows(allow);
  if (rows.length === 0) return 'nothing';
  return (
    <Group gap={6}>
      {rows.flatMap(({ toolkit, actions }) =>
        (actions.length === 0 ? [`${toolkit}: all actions`] : actions).map((text) => (
          <Badge key={text} variant="default" tt="none" fw={500} className="ids">
            {text}
          </Badge>
        )),
      )}
    </Group>
  );
}
