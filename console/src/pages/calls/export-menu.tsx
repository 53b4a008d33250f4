/** Exports the calls that match the filters as a file. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CallFilters, callFilePath } from '../../api/invocations';

export function ExportMenu({ filters }: { filters: CallFilters }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Calls that match the filters, at most 100,000</Menu.Label>
        <Menu.Item component="a" href={callFilePath(filters, 'csv')} download>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item component="a" href={callFilePath(filters, 'jsonl')} download>
          JSON lines, for programs
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
