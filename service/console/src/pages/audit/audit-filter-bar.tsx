/** The filters of the audit log. All of them are in the address, so that links and the back button keep them. */
import { Button, Group, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AuditFilters } from '../../api/audit';
import { peopleQuery } from '../../api/people';
import { FilterChoice } from '../../parts/filter-choice';
import { ListSearchField } from '../../parts/search-field';
import { TimeChoice } from '../../parts/time-choice';
import { auditSearch } from './audit-search';
import { AUDIT_KINDS, type AuditKind, areasOf } from './audit-words';

export function AuditFilterBar({ filters }: { filters: AuditFilters }) {
  const navigate = useNavigate({ from: '/audit' });
  const { data: people } = useQuery(peopleQuery);
  const change = (changed: { [Name in keyof AuditFilters]?: string | undefined }) =>
    void navigate({ search: (former) => auditSearch({ ...former, ...changed }), replace: true });
  const areas = filters.what?.split(',') ?? [];
  const kinds = AUDIT_KINDS.filter((kind) => areasOf(kind).every((area) => areas.includes(area)));
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the entries">
      <ListSearchField
        label="Words in an entry"
        placeholder="Name, id, value"
        value={filters.text ?? ''}
        onChange={(text) => change({ text: text.trim() })}
      />
      <FilterChoice
        label="Person"
        any="Any person"
        value={filters.person}
        data={people?.people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? []}
        onChange={(person) => change({ person })}
      />
      <MultiSelect
        className="filter filter-wide"
        label="Kinds"
        placeholder={kinds.length === 0 ? 'All kinds' : undefined}
        data={[...AUDIT_KINDS]}
        value={kinds}
        onChange={(chosen) => change({ what: (chosen as AuditKind[]).flatMap(areasOf).join(',') })}
        clearable
      />
      <TimeChoice from={filters.from} to={filters.to} onChange={change} />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/audit' })}>
          Clear
        </Button>
      )}
    </Group>
  );
}
