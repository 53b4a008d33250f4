/** The annotations of an action, for people who decide whether to run it. */
import { Badge, Tooltip } from '@mantine/core';
import type { ActionAnnotations } from '#sdk/protocol/http';

type Said = { label: string; meaning: string; color?: string };

const SAID: Record<keyof ActionAnnotations, { yes: Said; no?: Said }> = {
  readOnly: { yes: { label: 'read-only', meaning: 'Only reads data' } },
  destructive: {
    yes: { label: 'destructive', meaning: 'Can delete or overwrite data', color: 'red' },
    no: { label: 'not destructive', meaning: 'Adds or changes data, but deletes nothing' },
  },
  idempotent: { yes: { label: 'idempotent', meaning: 'A second run with the same payload has no further effect' } },
  openWorld: {
    yes: { label: 'open world', meaning: 'Accesses data outside of the toolkit, such as the web' },
    no: { label: 'own data only', meaning: "Accesses only the toolkit's own data" },
  },
};

export function AnnotationBadges({ annotations = {} }: { annotations?: ActionAnnotations | undefined }) {
  return Object.entries(SAID).map(([name, { yes, no }]) => {
    const value = annotations[name as keyof ActionAnnotations];
    const said = value === undefined ? undefined : value ? yes : no;
    // Read-only implies not destructive.
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
