/** The menu of saved views of a list: opens one, saves the present filters, and leads to the dialog that renames and deletes. */
import { Badge, Button, Menu, Text } from '@mantine/core';
import { IconBookmark, IconDeviceFloppy, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { SavedView, ViewPage } from '#sdk/protocol/admin';
import { savedViewsQuery } from '../../api/saved-views';
import { formatCount } from '../format';

const SaveViewModal = lazyRouteComponent(() => import('./save-view-modal'), 'SaveViewModal');
const ManageViewsModal = lazyRouteComponent(() => import('./manage-views-modal'), 'ManageViewsModal');

export interface SavedViewsProps {
  page: ViewPage;
  /** The filters and the order in the address, without the place in the list and what is open. */
  search: Record<string, unknown>;
}

export function SavedViews({ page, search }: SavedViewsProps) {
  const router = useRouter();
  const { data: all = [] } = useQuery(savedViewsQuery);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const views = all.filter((view) => view.page === page);
  const query = router.options.stringifySearch(search);
  const item = (view: SavedView) => (
    <Menu.Item
      key={view.id}
      onClick={() => router.history.push(`/${page}${view.query}`)}
      rightSection={
        view.shared ? (
          <Badge size="xs" variant="default" tt="none">
            shared
          </Badge>
        ) : undefined
      }
      aria-current={view.query === query ? 'true' : undefined}
    >
      <Text size="sm" fw={view.query === query ? 600 : undefined} className="names">
        {view.name}
      </Text>
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            Views{views.length > 0 && ` (${formatCount(views.length)})`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(item)}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconDeviceFloppy size={16} aria-hidden />} onClick={() => setDialog('save')}>
            Save these filters…
          </Menu.Item>
          {views.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('manage')}>
              Rename or delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'save' && <SaveViewModal page={page} query={query} onClose={() => setDialog(undefined)} />}
        {dialog === 'manage' && <ManageViewsModal views={views} onClose={() => setDialog(undefined)} />}
      </Suspense>
    </>
  );
}
