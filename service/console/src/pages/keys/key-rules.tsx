/** The rules of a key in words, in the order of evaluation. */
import { Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Rule } from '#sdk/protocol/rules';
import { meQuery } from '../../api/me';
import { formatPlural } from '../../parts/format';
import { ruleWords } from '../../parts/rule-words';
import { inOrder } from './rules/rule-rows';

/** More are a wall of text: the form has all. */
const SHOWN = 10;

export function KeyRules({ rules = [] }: { rules: readonly Rule[] | undefined }) {
  const { data: me } = useSuspenseQuery(meQuery);
  if (rules.length === 0) return 'none of its own: the defaults of the service decide';
  const ordered = inOrder(rules);
  return (
    <Stack gap={4} component="ol" className="plain-list">
      {ordered.slice(0, SHOWN).map((rule) => {
        const words = ruleWords(rule, me.currency);
        return (
          <li key={JSON.stringify(rule)} className="names">
            {words}
          </li>
        );
      })}
      {ordered.length > SHOWN && <li>and {formatPlural(ordered.length - SHOWN, 'more rule')}</li>}
    </Stack>
  );
}
