import { Button, Group, Modal, MultiSelect, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator, type Person, ROLES, type Role } from '../api/operator.ts'
import { useStores } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { closing } from '../parts/unsaved.ts'
import { Copied, State, Time } from '../parts/values.tsx'

const ABOUT_ROLES: Readonly<Record<Role, string>> = {
  owner: 'everything, people too',
  admin: 'everything except people',
  developer: 'accounts, webhooks, jobs, powers of test stores; reads everything else',
  support: 'customers, orders, refunds, e-mails; reads everything else',
  viewer: 'reads',
}

const KEY = ['people']

/** The people of the console, their roles and stores. */
export function PeoplePage() {
  const people = useQuery({ queryKey: KEY, queryFn: () => operator<Person[]>('GET', '/people') })
  const [editing, setEditing] = useState<Person | 'new'>()
  const [shown, setShown] = useState<Person>()
  const [deleted, setDeleted] = useState<Person>()
  const remove = useAction((person: Person) => operator('DELETE', `/people/${person.id}`), {
    done: 'The person is deleted, and all sessions have ended.',
    refresh: [KEY],
    onDone: () => setDeleted(undefined),
  })
  const invite = useAction((person: Person) => operator<{ link: string }>('POST', `/people/${person.id}/invitation`), {
    refresh: [KEY],
  })
  if (!people.data) return <Pending error={people.error} />
  return (
    <Page
      title="People"
      about="Everybody who may sign in here"
      actions={<Button onClick={() => setEditing('new')}>Invite a person</Button>}
    >
      <Rows
        head={['E-mail', 'Name', 'Role', 'Stores', 'State', 'Since', 'Actions']}
        empty="Nobody is invited. Invite the first person with the button above."
        rows={people.data.map((person) => ({
          key: person.id,
          cells: [
            person.email,
            person.name,
            person.role,
            person.stores === null ? 'all' : person.stores.join(', '),
            <State key="state" state={person.is_active ? 'active' : 'invited'} />,
            <Time key="at" at={person.created_at} />,
            <Group key="actions" gap="xs" wrap="nowrap">
              <Button size="compact-sm" variant="default" onClick={() => setEditing(person)}>
                Change
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => invite.mutate(person)}>
                New link
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setShown(person)}>
                Sessions
              </Button>
              <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleted(person)}>
                Delete
              </Button>
            </Group>,
          ],
        }))}
      />
      {editing && <EditPerson person={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
      <Modal opened={invite.data !== undefined} onClose={invite.reset} title="The new link">
        <Link text={invite.data?.link ?? ''} />
      </Modal>
      {shown && <SessionsOf person={shown} onClose={() => setShown(undefined)} />}
      <Modal opened={deleted !== undefined} onClose={() => setDeleted(undefined)} title={`Delete ${deleted?.email}?`}>
        <Stack>
          <Text size="sm">The person can't sign in any more, and all sessions end. The audit keeps the actions.</Text>
          <Failure error={remove.error} />
          <Button color="red" loading={remove.isPending} onClick={() => deleted && remove.mutate(deleted)}>
            Delete the person
          </Button>
        </Stack>
      </Modal>
    </Page>
  )
}

interface Session {
  id: number
  address: string
  agent: string
  created_at: string
  used_at: string
}

/** The sessions of another person, which an owner can end. */
function SessionsOf({ person, onClose }: { person: Person; onClose(): void }) {
  const path = `/people/${person.id}/sessions`
  const key = ['sessions', person.id]
  const sessions = useQuery({ queryKey: key, queryFn: () => operator<Session[]>('GET', path) })
  const end = useAction((id: number) => operator('DELETE', `${path}/${id}`), {
    done: 'The session has ended.',
    refresh: [key],
  })
  return (
    <Modal opened onClose={onClose} title={`Sessions of ${person.email}`} size="xl">
      {sessions.data ? (
        <Rows
          head={['Begun', 'Last request', 'Address', 'Browser', 'Actions']}
          empty="The person is not signed in."
          rows={sessions.data.map(({ id, address, agent, created_at, used_at }) => ({
            key: id,
            cells: [
              <Time key="at" at={created_at} />,
              <Time key="seen" at={used_at} />,
              address,
              agent,
              <Button key="end" size="compact-sm" variant="default" onClick={() => end.mutate(id)}>
                End
              </Button>,
            ],
          }))}
        />
      ) : (
        <Pending error={sessions.error} />
      )}
    </Modal>
  )
}

const Link = ({ text }: { text: string }) => (
  <Stack>
    <Text size="sm">It works once, and for 24 hours. Send it to the person.</Text>
    <Copied text={text} />
  </Stack>
)

function EditPerson({ person, onClose }: { person: Person | undefined; onClose(): void }) {
  const { data: all = [] } = useStores()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>(person?.role ?? 'viewer')
  const [hasAll, setHasAll] = useState(person === undefined || person.stores === null)
  const [chosen, choose] = useState<string[]>(person?.stores ?? [])
  // Without a store, nobody gets all of them by mistake.
  const isComplete = hasAll || chosen.length > 0
  const body = { role, stores: hasAll ? null : chosen }
  const former = { role: person?.role ?? 'viewer', stores: person?.stores ?? null }
  const isDirty = email !== '' || JSON.stringify(body) !== JSON.stringify(former)
  const save = useAction(
    () =>
      person
        ? operator<{ link?: string }>('PUT', `/people/${person.id}`, body)
        : operator<{ link?: string }>('POST', '/people', { email, ...body }),
    { refresh: [KEY], onDone: () => person && onClose() },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal
      opened
      onClose={closing(isDirty && save.data === undefined, onClose)}
      title={person ? person.email : 'Invite a person'}
    >
      {save.data?.link !== undefined ? (
        <Link text={save.data.link} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {!person && (
              <TextInput
                label="E-mail address"
                type="email"
                required
                data-autofocus
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
            )}
            <Select
              label="Role"
              description={ABOUT_ROLES[role]}
              allowDeselect={false}
              data={[...ROLES]}
              value={role}
              onChange={(value) => setRole(ROLES.find((one) => one === value) ?? 'viewer')}
            />
            <Radio.Group
              label="Stores"
              value={hasAll ? 'all' : 'some'}
              onChange={(value) => setHasAll(value === 'all')}
            >
              <Group mt={6}>
                <Radio value="all" label="all, new ones too" />
                <Radio value="some" label="some" />
              </Group>
            </Radio.Group>
            {!hasAll && (
              <MultiSelect
                label="Chosen stores"
                description="By name or hash"
                error={isComplete ? undefined : 'Choose a store.'}
                searchable
                selectFirstOptionOnChange
                limit={50}
                data={all.map(({ hash, name }) => ({ value: hash, label: `${name || 'without a name'} (${hash})` }))}
                value={chosen}
                onChange={choose}
              />
            )}
            <Failure error={save.error} />
            <Button type="submit" disabled={!isComplete} loading={save.isPending}>
              {person ? 'Save' : 'Invite'}
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
