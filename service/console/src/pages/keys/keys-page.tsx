import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { keyCountsQuery } from '../../api/key-counts';
import { keysQuery } from '../../api/keys';
import { meQuery } from '../../api/me';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { filterKeys } from './key-filter';
import { KeyFilters } from './key-filters';
import { KeyTable } from './key-table';

// Loaded on demand: their forms are half of this page, and most visits do not need them.
const KeyDrawer = lazyRouteComponent(() => import('./key-drawer'), 'KeyDrawer');
const NewKeyModal = lazyRouteComponent(() => import('./new-key-modal'), 'NewKeyModal');

export function KeysPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const keys = useQuery(keysQuery);
  const counts = useQuery(keyCountsQuery);
  const search = useSearch({ from: '/signed-in/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const [making, { open, close }] = useDisclosure();
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      New key
    </Button>
  );
  const isOwner = me.role === 'owner';
  return (
    <Page title="Keys" description="An agent key lets a program search and call actions. A toolkit key lets one serve them." actions={make}>
      <QueryView query={keys}>
        {({ keys: all }) => {
          const shown = filterKeys(all, search);
          const looked = all.find(({ id }) => id === search.id);
          return (
            <>
              {all.length === 0 ? (
                <EmptyState title="No keys yet" action={make}>
                  Create one for an agent that calls actions, or for a toolkit that serves them.
                </EmptyState>
              ) : (
                <>
                  <KeyFilters search={search} shown={shown.length} all={all.length} withAdmin={isOwner} />
                  <KeyTable keys={shown} counts={counts.data} withOwner={isOwner} />
                </>
              )}
              <Suspense>
                {looked && (
                  <KeyDrawer
                    key={looked.id}
                    info={looked}
                    counts={counts.data?.get(looked.id)}
                    url={me.url}
                    withRules={search.form === 'rules'}
                    onClose={() => void navigate({ search: ({ id, form, ...rest }) => rest })}
                  />
                )}
                {making && <NewKeyModal me={me} keys={all} onClose={close} />}
              </Suspense>
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}
