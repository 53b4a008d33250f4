import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { keyListQuery, keyQuery } from '../../api/keys';
import { meQuery } from '../../api/me';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { KeyFilters } from './key-filters';
import { KeyTable } from './key-table';

// Loaded on demand: their forms are half of this page, and most visits do not need them.
const KeyDrawer = lazyRouteComponent(() => import('./key-drawer'), 'KeyDrawer');
const NewKeyModal = lazyRouteComponent(() => import('./new-key-modal'), 'NewKeyModal');

const PAGE = 50;

export function KeysPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const search = useSearch({ from: '/signed-in/keys' });
  const { kind, state = 'active', sort = 'created', order = 'desc', cursor } = search;
  const page = useQuery(
    keyListQuery({ q: search.text?.trim(), kind, state: state === 'all' ? undefined : state, sort, order, cursor, limit: PAGE }),
  );
  // A list without rows has filters that match no key, or the service has no keys.
  const any = useQuery({ ...keyListQuery({ limit: 1 }), enabled: page.data?.total === 0 });
  const listed = page.data?.keys.find(({ id }) => id === search.id);
  const { data: opened } = useQuery({ ...keyQuery(search.id ?? ''), enabled: search.id !== undefined && page.isSuccess && !listed });
  const looked = listed ?? (opened?.id === search.id ? opened : undefined);
  const navigate = useNavigate({ from: '/keys' });
  const [making, { open, close }] = useDisclosure();
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      New key
    </Button>
  );
  const isOwner = me.role === 'owner';
  const { id: _id, form: _form, toolkit: _toolkit, cursor: _cursor, ...filters } = search;
  return (
    <Page
      title="Keys"
      description="An agent key lets a program search and call actions. A toolkit key lets one serve them."
      actions={
        <>
          <SavedViews page="keys" search={filters} />
          {make}
        </>
      }
    >
      <QueryView query={page}>
        {(found) =>
          found.total === 0 && any.data?.total === 0 ? (
            <EmptyState title="No keys yet" action={make}>
              Create one for an agent that calls actions, or for a toolkit that serves them.
            </EmptyState>
          ) : (
            <>
              <KeyFilters search={search} withAdmin={isOwner} />
              <KeyTable
                page={found}
                sort={sort}
                order={order}
                cursor={cursor}
                withOwner={isOwner}
                isFaded={page.isPlaceholderData}
                onShow={(changed) =>
                  void navigate({ search: ({ cursor: _, ...former }) => ({ ...former, ...changed }), resetScroll: false })
                }
              />
            </>
          )
        }
      </QueryView>
      <Suspense>
        {looked && (
          <KeyDrawer
            key={looked.id}
            info={looked}
            url={me.url}
            withRules={search.form === 'rules'}
            onClose={() => void navigate({ search: ({ id, form, ...rest }) => rest })}
          />
        )}
        {(making || search.toolkit !== undefined) && (
          <NewKeyModal
            me={me}
            toolkit={search.toolkit}
            onClose={() => {
              close();
              void navigate({ search: ({ toolkit, ...rest }) => rest });
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}
