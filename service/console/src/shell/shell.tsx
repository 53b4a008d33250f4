/** The frame around every page: navigation, the account menu, light or dark colours. */
import { ActionIcon, AppShell, Badge, Burger, Group, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import {
  IconActivity,
  IconBook,
  IconBulb,
  IconCoins,
  IconHandStop,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconMessageChatbot,
  IconMessages,
  IconMoon,
  IconPlug,
  IconPlugConnected,
  IconRocket,
  IconSearch,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconSun,
  IconTerminal2,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { waitingCountQuery } from '../api/approvals';
import { useLiveUpdates } from '../api/live';
import { meQuery } from '../api/me';
import { PersonMenu } from './person-menu';
import { ServiceLost } from './service-lost';
import { useSessionEnd } from './session-end';
import { SignInAgain } from './sign-in-again';

const AlertBell = lazy(() => import('./alert-bell'));

const PAGES = [
  { to: '/', label: 'Overview', icon: IconLayoutDashboard },
  { to: '/start', label: 'Get started', icon: IconRocket },
  { to: '/connect', label: 'Connect a client', icon: IconPlug },
  { to: '/playground', label: 'Playground', icon: IconMessageChatbot },
  { to: '/search', label: 'Search', icon: IconSearch },
  { to: '/toolkits', label: 'Toolkits', icon: IconPlugConnected },
  { to: '/demand', label: 'Demand', icon: IconBulb },
  { to: '/calls', label: 'Calls', icon: IconActivity },
  { to: '/sessions', label: 'Sessions', icon: IconMessages },
  { to: '/runs', label: 'Runs of code', icon: IconTerminal2 },
  { to: '/approvals', label: 'Approvals', icon: IconHandStop },
  { to: '/keys', label: 'Keys', icon: IconKey },
  { to: '/connections', label: 'My connections', icon: IconLink },
  { to: '/spending', label: 'Spending', icon: IconCoins },
] as const;

const OWNERS_PAGES = [
  { to: '/review', label: 'Review', icon: IconShieldCheck },
  { to: '/people', label: 'People', icon: IconUsers },
  { to: '/audit', label: 'Audit log', icon: IconHistory },
  { to: '/system', label: 'System', icon: IconServer },
  { to: '/settings', label: 'Settings', icon: IconSettings },
] as const;

export function ConsoleShell() {
  const { data: me } = useSuspenseQuery(meQuery);
  const [opened, { toggle, close }] = useDisclosure();
  const isLost = useLiveUpdates();
  useSessionEnd();
  const navigate = useNavigate();
  useHotkeys([['mod+K', () => void navigate({ to: '/search', state: { typing: true } })]], []);
  const pages = me.role === 'owner' ? [...PAGES, ...OWNERS_PAGES] : PAGES;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={opened ? 'Close the menu' : 'Open the menu'} />
            <Link to="/" className="brand">
              <img src="/icon.svg" alt="" width={26} height={26} />
              <Text component="span" fw={650}>
                svc-sdk
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Suspense>
              <AlertBell />
            </Suspense>
            <ColorScheme />
            <PersonMenu me={me} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages" style={{ overflowY: 'auto' }}>
        {pages.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            renderRoot={(props) => (
              <Link
                to={to}
                activeOptions={{ exact: to === '/' }}
                activeProps={{ 'data-active': true, 'aria-current': 'page' }}
                {...props}
              />
            )}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
            rightSection={to === '/approvals' && <WaitingCount />}
            onClick={close}
          />
        ))}
        <NavLink
          href={`${me.url}/v1/openapi.json`}
          target="_blank"
          rel="noreferrer"
          label="API reference"
          leftSection={<IconBook size={18} stroke={1.6} aria-hidden />}
          mt="auto"
          description={`svc-sdk ${me.version}`}
        />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {me.person && <SignInAgain person={me.person} />}
        {isLost && <ServiceLost />}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** The number of calls that wait for a person. */
function WaitingCount() {
  const { data: count } = useQuery(waitingCountQuery);
  if (count === undefined) return null;
  return (
    <Badge size="sm" circle={count.length === 1} aria-label={`${count} waiting`}>
      {count}
    </Badge>
  );
}

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark = colorScheme === 'dark' || (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? 'Light colours' : 'Dark colours'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  );
}
