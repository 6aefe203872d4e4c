import {
  ActionIcon,
  Alert,
  Anchor,
  AppShell,
  Badge,
  Burger,
  Group,
  Loader,
  Menu,
  NavLink,
  ScrollArea,
  Select,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Account, onSignedOut, operator, type Person, type Store } from '../api/operator.ts'
import { evictTokens } from '../api/store.ts'
import { StoreCustoms } from '../parts/values.tsx'
import { Confirmation } from './confirmation.tsx'
import { Keys } from './keys.tsx'
import { openPalette, Palette } from './palette.tsx'
import { DEVELOPERS, hasRole, pagesOf, storePagesOf } from './roles.ts'
import { ActingAs, useApiIndex, useSession, useStoreCustoms, useStores } from './session.ts'
import { SignIn } from './sign-in.tsx'

const CONSOLE_ACCOUNT = 'console'

/** Header, navigation and palette around every page of a person who is signed in. */
export function Frame() {
  const { person, error, set } = useSession()
  useEffect(() => onSignedOut(() => set(null)))
  if (error) return <Alert color="red">{error.message}</Alert>
  if (person === undefined) return <Loader m="xl" aria-label="Loading" />
  if (person === null) return <SignIn onPerson={set} />
  return <SignedInFrame person={person} onSignedOut={() => set(null)} />
}

function SignedInFrame({ person, onSignedOut }: { person: Person; onSignedOut(): void }) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { hash } = useParams({ strict: false })
  const [clientId, actAs] = useState('')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path])
  const customs = useStoreCustoms(hash)
  const signOut = async () => {
    await operator('DELETE', '/session').catch(() => {})
    evictTokens()
    onSignedOut()
  }
  return (
    <ActingAs value={{ clientId, actAs }}>
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="md"
        transitionDuration={0}
      >
        <AppShell.Header>
          <Anchor
            href="#page"
            className="skip"
            pos="absolute"
            left={-9999}
            onFocus={(e) => {
              e.currentTarget.style.left = '8px'
            }}
            onBlur={(e) => {
              e.currentTarget.style.left = '-9999px'
            }}
          >
            Skip to the page
          </Anchor>
          <Group h="100%" px="md" gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <StoreSwitch hash={hash} />
            {hash !== undefined && <AccountSwitch hash={hash} person={person} clientId={clientId} actAs={actAs} />}
            <Group gap="xs" ml="auto" wrap="nowrap">
              <UnstyledButton onClick={openPalette} visibleFrom="xs" aria-label="Search pages, stores and records">
                <Badge variant="default" tt="none" fw={400}>
                  Search, Ctrl K
                </Badge>
              </UnstyledButton>
              <PersonMenu person={person} onSignOut={signOut} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" component="nav" aria-label="Pages">
          <ScrollArea type="auto" offsetScrollbars="present">
            <NavLink component="button" type="button" hiddenFrom="xs" label="Search" onClick={openPalette} />
            <Navigation hash={hash} person={person} />
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1}>
          <StoreCustoms value={hash === undefined ? undefined : customs.data}>
            <Outlet />
          </StoreCustoms>
        </AppShell.Main>
      </AppShell>
      <Palette hash={hash} person={person} onSignOut={signOut} />
      <Keys />
      <Confirmation />
    </ActingAs>
  )
}

/** The name of a store, with its hash where another store has the same name, as a fork has. */
const labelOf = ({ hash, name }: Store, stores: readonly Store[]) =>
  name === '' ? hash : stores.some((one) => one.hash !== hash && one.name === name) ? `${name}, ${hash}` : name

function StoreSwitch({ hash }: { hash: string | undefined }) {
  const { data: stores = [] } = useStores()
  const navigate = useNavigate()
  return (
    <Select
      aria-label="Store"
      placeholder="All stores"
      searchable
      clearable
      w={210}
      maw="45vw"
      value={hash ?? null}
      data={stores.map((store) => ({
        value: store.hash,
        label: `${labelOf(store, stores)}${store.is_test ? ' (test)' : ''}`,
      }))}
      onChange={(value) =>
        value === null ? navigate({ to: '/' }) : navigate({ to: '/stores/$hash', params: { hash: value } })
      }
    />
  )
}

/** Chooses the account as which the pages call the API: webhooks and some metafields are visible only to the account that owns them. */
function AccountSwitch({
  hash,
  person,
  clientId,
  actAs,
}: {
  hash: string
  person: Person
  clientId: string
  actAs(clientId: string): void
}) {
  const maySee = hasRole(person, DEVELOPERS)
  const { data: accounts = [] } = useQuery({
    queryKey: ['accounts', hash],
    enabled: maySee,
    queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`),
  })
  // An account belongs to one store.
  useEffect(() => actAs(''), [hash])
  if (!maySee) return null
  return (
    <Select
      aria-label="Act as"
      w={180}
      visibleFrom="md"
      allowDeselect={false}
      value={clientId === '' ? CONSOLE_ACCOUNT : clientId}
      data={[
        { value: CONSOLE_ACCOUNT, label: 'as the console' },
        ...accounts.map(({ client_id, name }) => ({ value: client_id, label: `as ${name}` })),
      ]}
      onChange={(value) => actAs(value === null || value === CONSOLE_ACCOUNT ? '' : value)}
    />
  )
}

function PersonMenu({ person, onSignOut }: { person: Person; onSignOut(): void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={`Account of ${person.name || person.email}`}>
          {(person.name || person.email).slice(0, 1).toUpperCase()}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.email}, {person.role}
        </Menu.Label>
        <Menu.Item component={Link} to="/me">
          Password, passkeys and sessions
        </Menu.Item>
        <Menu.Divider />
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme ? 'true' : undefined}
            fw={colorScheme === scheme ? 700 : 400}
          >
            {scheme === 'auto' ? 'Colours of the system' : scheme === 'light' ? 'Light' : 'Dark'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onSignOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Navigation({ hash, person }: { hash: string | undefined; person: Person }) {
  const pages = hash === undefined ? pagesOf(person) : storePagesOf(hash, person)
  return (
    <>
      {hash !== undefined && <NavLink component={Link} to="/" label="All stores" activeOptions={{ exact: true }} />}
      {pages.map(({ label, path }, i) => (
        // The first page is above all others, and active at its own address only.
        <NavLink key={path} component={Link} to={path} label={label} activeOptions={{ exact: i === 0 }} />
      ))}
      {hash !== undefined && <Lists hash={hash} />}
    </>
  )
}

/** All lists of the API, by their groups. */
function Lists({ hash }: { hash: string }) {
  const { data: index } = useApiIndex()
  const { list } = useParams({ strict: false })
  return (
    <>
      <Text size="xs" c="dimmed" mt="sm" px="xs">
        Data
      </Text>
      {index?.groups.map(({ name, resources }) => (
        <NavLink
          key={name}
          component="button"
          type="button"
          label={name}
          defaultOpened={resources.some((resource) => resource.list.id === list)}
          childrenOffset={14}
        >
          {resources.map((resource) => (
            <NavLink
              key={resource.list.id}
              component={Link}
              to={`/stores/${hash}/lists/${resource.list.id}`}
              label={resource.list.tag}
            />
          ))}
        </NavLink>
      ))}
    </>
  )
}
