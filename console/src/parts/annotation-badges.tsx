/** What a toolkit says of its action, in the words of people who decide whether to run it. */
import { Badge, Tooltip } from '@mantine/core';
import type { ActionAnnotations } from '../../../src/protocol/http';

type Said = { label: string; meaning: string; color?: string };

const SAID: Record<keyof ActionAnnotations, { yes: Said; no?: Said }> = {
  readOnly: { yes: { label: 'read-only', meaning: 'Changes nothing' } },
  destructive: {
    yes: { label: 'destructive', meaning: 'May destroy or overwrite something', color: 'red' },
    no: { label: 'not destructive', meaning: 'Adds or changes, but destroys nothing' },
  },
  idempotent: { yes: { label: 'idempotent', meaning: 'A second run with the same payload changes nothing more' } },
  openWorld: {
    yes: { label: 'open world', meaning: "Reaches things outside of the toolkit's own data, such as the web" },
    no: { label: 'own data only', meaning: "Reaches nothing outside of the toolkit's own data" },
  },
};

export function AnnotationBadges({ annotations = {} }: { annotations?: ActionAnnotations | undefined }) {
  return Object.entries(SAID).map(([name, { yes, no }]) => {
    const value = annotations[name as keyof ActionAnnotations];
    const said = value === undefined ? undefined : value ? yes : no;
    // What destroys nothing because it changes nothing needs to be said once.
    if (!said || (said === no && annotations.readOnly)) return null;
    return (
      <Tooltip key={name} label={said.meaning}>
        <Badge variant="light" color={said.color ?? 'gray'} tt="none" fw={500}>
          {said.label}
        </Badge>
      </Tooltip>
    );
  });
}
