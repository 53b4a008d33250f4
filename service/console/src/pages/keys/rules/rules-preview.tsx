/** The effects that the rules of a draft would have had on the calls of the last days. */
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RulePreview } from '#sdk/protocol/admin';
import type { Rule } from '#sdk/protocol/rules';
import { fetchRulePreview, PREVIEW_DAYS } from '../../../api/rules';
import { CallTime } from '../../../parts/call-time';
import { Figure, Figures } from '../../../parts/figures';
import { FormError } from '../../../parts/form-error';
import { formatCount, formatPlural } from '../../../parts/format';
import { EFFECT_WORDS } from '../../../parts/rule-words';
import { type RulesDraft, readRules } from './rules-draft';

export interface RulesPreviewProps {
  draft: RulesDraft;
  /** The key whose calls count. Absent: the calls of all keys. */
  keyId?: string;
}

export function RulesPreview({ draft, keyId }: RulesPreviewProps) {
  const read = readRules(draft);
  const rules = 'rules' in read ? read.rules : undefined;
  const preview = useMutation({ mutationFn: (asked: Rule[]) => fetchRulePreview(asked, keyId) });
  // An answer about former rules says nothing about these.
  const isOld = JSON.stringify(preview.variables) !== JSON.stringify(rules);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">
          Effects on the calls of {keyId === undefined ? 'all keys' : 'this key'} in the last {PREVIEW_DAYS} days
        </Text>
        <Button
          size="xs"
          variant="default"
          flex="none"
          disabled={!rules}
          loading={preview.isPending}
          onClick={() => rules && preview.mutate(rules)}
        >
          Preview
        </Button>
      </Group>
      {!isOld && <FormError error={preview.error} />}
      {!isOld && preview.data && rules && <Outcome preview={preview.data} rules={rules} />}
    </Stack>
  );
}

function Outcome({ preview, rules }: { preview: RulePreview; rules: readonly Rule[] }) {
  const { calls, isPart, allow, ask, deny, unknown, byRule, examples } = preview;
  if (calls === 0)
    return (
      <Alert color="gray" variant="light" p="sm" role="status" aria-label="Preview">
        There was no call in these days.
      </Alert>
    );
  return (
    <Stack gap="sm" role="status" aria-label="Preview">
      <Figures label="Calls by effect">
        <Figure label="Allowed" value={formatCount(allow)} />
        <Figure label="Ask a person" value={formatCount(ask)} />
        <Figure label="Denied" value={formatCount(deny)} alarming={deny > 0} />
      </Figures>
      {isPart && (
        <Text size="sm" c="dimmed">
          These are the newest {formatPlural(calls, 'call')}: there are more.
        </Text>
      )}
      {unknown > 0 && (
        <Text size="sm" c="dimmed">
          {formatPlural(unknown, 'more call is', 'more calls are')} not counted: the payload or the user that decides was not stored (see
          Settings), or the action is gone.
        </Text>
      )}
      <Stack gap={4} component="ul" className="plain-list">
        {byRule.map(({ index, calls: matched }) => {
          const effect = rules[index]?.do;
          if (effect === undefined || effect === 'allow') return null;
          return (
            <li key={index}>
              <Text size="sm">
                Rule {index + 1} ({EFFECT_WORDS[effect]}): {formatPlural(matched, 'call')}
              </Text>
            </li>
          );
        })}
      </Stack>
      {examples.length > 0 && <Examples examples={examples} />}
    </Stack>
  );
}

function Examples({ examples }: Pick<RulePreview, 'examples'>) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        The newest of them
      </Text>
      <Stack gap={4} component="ul" className="plain-list">
        {examples.map(({ invocationId, action, startedAt, do: effect, index }) => (
          <li key={invocationId}>
            <Text size="sm" className="names">
              {EFFECT_WORDS[effect]}, {index === undefined ? 'by default' : `rule ${index + 1}`}:{' '}
              <Anchor
                inherit
                underline="always"
                className="ids"
                renderRoot={(props) => <Link to="/calls/$id" params={{ id: invocationId }} target="_blank" {...props} />}
              >
                {action}
              </Anchor>
              , <CallTime at={startedAt} />
            </Text>
          </li>
        ))}
      </Stack>
    </div>
  );
}
