/** One key: its facts, and buttons to change, rotate and revoke it. */
import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { connectedAppsQuery } from '../../api/connected-apps';
import { keyState } from '../../api/key-state';
import { revokeKey } from '../../api/keys';
import { ConfirmModal } from '../../parts/confirm-modal';
import { useFocusBack } from '../../parts/focus-back';
import { ChangeKeyForm } from './change-key-form';
import { KeyKindBadge, KeyStateBadge } from './key-badges';
import { KeyFacts } from './key-facts';
import { RotateModal } from './rotate-modal';
import { RulesForm } from './rules/rules-form';
import { SecretOnce } from './secret-once';
import { WebhookSecretOnce } from './webhook-secret-once';

export interface KeyDrawerProps {
  info: OwnedKey;
  /** Address of the service. */
  url: string;
  /** Opens the form of its rules. */
  withRules: boolean;
  onClose: () => void;
}

export function KeyDrawer({ info, url, withRules, onClose }: KeyDrawerProps) {
  useFocusBack();
  const active = keyState(info) === 'active';
  const [doing, setDoing] = useState<'change' | 'rules' | 'rotate' | 'revoke' | undefined>(
    withRules && active && info.kind === 'agent' ? 'rules' : undefined,
  );
  const [rotated, setRotated] = useState<CreatedKey>();
  const [webhookSecret, setWebhookSecret] = useState<string>();
  const queryClient = useQueryClient();
  const isApp = info.app === true;
  const { data: app } = useQuery({ ...connectedAppsQuery, enabled: isApp, select: ({ apps }) => apps.find(({ id }) => id === info.id) });
  const revoke = async () => {
    await revokeKey(info.id);
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  const stop = () => setDoing(undefined);
  // An accidental click must not lose a secret that is not copied yet.
  const isClosable = !rotated && webhookSecret === undefined;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      withCloseButton={isClosable}
      title={
        <Group gap="xs" component="span">
          <Text span fw={600} className="names">
            {info.name}
          </Text>
          <KeyKindBadge kind={info.kind} />
          <KeyStateBadge info={info} />
        </Group>
      }
    >
      <Stack gap="lg">
        {rotated && <SecretOnce made={rotated} url={url} onDone={() => setRotated(undefined)} />}
        {webhookSecret !== undefined && <WebhookSecretOnce secret={webhookSecret} onDone={() => setWebhookSecret(undefined)} />}
        {doing === 'change' ? (
          <ChangeKeyForm info={info} onWebhookSecret={setWebhookSecret} onDone={stop} />
        ) : doing === 'rules' ? (
          <RulesForm info={info} onDone={stop} />
        ) : (
          <>
            <KeyFacts info={info} counts={info.day} app={app} />
            <Group gap="sm">
              {info.kind === 'agent' && (
                <Button variant="default" renderRoot={(props) => <Link to="/calls" search={{ key: info.id }} {...props} />}>
                  View calls
                </Button>
              )}
              {active && (
                <>
                  <Button variant="default" onClick={() => setDoing('change')}>
                    Change
                  </Button>
                  {info.kind === 'agent' && (
                    <Button variant="default" onClick={() => setDoing('rules')}>
                      Change rules
                    </Button>
                  )}
                  {/* An app uses tokens of its key: the secret was never shown. */}
                  {!isApp && (
                    <Button variant="default" onClick={() => setDoing('rotate')}>
                      Rotate secret
                    </Button>
                  )}
                </>
              )}
              {!info.revokedAt && (
                <Button variant="light" color="red" onClick={() => setDoing('revoke')}>
                  {isApp ? 'Disconnect' : 'Revoke'}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
      {doing === 'rotate' && <RotateModal info={info} afterEnd={AFTER_END[info.kind]} onRotated={setRotated} onClose={stop} />}
      {doing === 'revoke' && (
        <ConfirmModal
          title={`${isApp ? 'Disconnect' : 'Revoke'} ${info.name}?`}
          action={isApp ? 'Disconnect' : 'Revoke key'}
          onConfirm={revoke}
          onClose={stop}
        >
          This can't be undone. Within a second {AFTER_END[info.kind]}. Its calls stay in the list.
        </ConfirmModal>
      )}
    </Drawer>
  );
}

const AFTER_END: Record<OwnedKey['kind'], string> = {
  agent: 'calls with it fail',
  toolkit: 'its connections close, and the toolkit goes offline unless another key serves it',
  admin: 'requests with it fail',
};
