import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator } from '../api/operator.ts'
import { createPasskey, hasPasskeys } from '../api/passkeys.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Time } from '../parts/values.tsx'

interface Session {
  id: number
  created_at: string
  used_at: string
  address: string
  agent: string
  is_current: boolean
}

const KEY = ['sessions']

/** Password, passkeys and sessions of the person. */
export function MePage() {
  const sessions = useQuery({ queryKey: KEY, queryFn: () => operator<Session[]>('GET', '/sessions') })
  const end = useAction((id: number) => operator('DELETE', `/sessions/${id}`), {
    done: 'The session has ended.',
    refresh: [KEY],
  })
  if (!sessions.data) return <Pending error={sessions.error} />
  return (
    <Page title="Password, passkeys and sessions">
      <ChangePassword />
      <Passkeys />
      <Title order={2} size="h4">
        Sessions
      </Title>
      <Rows
        head={['Browser', 'Address', 'Begun', 'Last used', 'Actions']}
        empty="There is no session."
        rows={sessions.data.map((session) => ({
          key: session.id,
          cells: [
            session.agent,
            session.address,
            <Time key="begun" at={session.created_at} />,
            <Time key="used" at={session.used_at} />,
            session.is_current ? (
              'this session'
            ) : (
              <Button key="end" size="compact-sm" variant="default" onClick={() => end.mutate(session.id)}>
                End
              </Button>
            ),
          ],
        }))}
      />
    </Page>
  )
}

interface Passkey {
  id: number
  name: string
  host: string
  created_at: string
  used_at: string | null
}

const PASSKEYS = ['passkeys']

/** The passkeys of the person, each for one host name. */
function Passkeys() {
  const passkeys = useQuery({ queryKey: PASSKEYS, queryFn: () => operator<Passkey[]>('GET', '/passkeys') })
  const [name, setName] = useState('')
  const add = useAction(async () => operator('POST', '/passkeys', { name, credential: await createPasskey() }), {
    done: 'The passkey is added.',
    refresh: [PASSKEYS],
    onDone: () => setName(''),
  })
  const remove = useAction((id: number) => operator('DELETE', `/passkeys/${id}`), {
    done: 'The passkey is deleted.',
    refresh: [PASSKEYS],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  if (!passkeys.data) return <Pending error={passkeys.error} />
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Passkeys
      </Title>
      <Rows
        head={['Name', 'Host', 'Added', 'Last used', 'Actions']}
        empty="There is no passkey. With one you sign in without the password."
        rows={passkeys.data.map((passkey) => ({
          key: passkey.id,
          cells: [
            passkey.name,
            passkey.host,
            <Time key="added" at={passkey.created_at} />,
            <Time key="used" at={passkey.used_at} />,
            <Button
              key="delete"
              size="compact-sm"
              variant="default"
              aria-label={`Delete the passkey ${passkey.name}`}
              onClick={() => remove.mutate(passkey.id)}
            >
              Delete
            </Button>,
          ],
        }))}
      />
      {hasPasskeys() ? (
        <form onSubmit={submit}>
          <Group align="flex-end">
            <TextInput
              label="Name of the new passkey"
              placeholder="Laptop"
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={add.isPending}>
              Add a passkey
            </Button>
          </Group>
          <Failure error={add.error} />
        </form>
      ) : (
        <Text size="sm">Browsers have passkeys only at a host name with https, and at localhost.</Text>
      )}
    </Stack>
  )
}

function ChangePassword() {
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const change = useAction(() => operator('PUT', '/password', { password, new_password: next }), {
    done: 'The password is changed. All other sessions have ended.',
    refresh: [KEY],
    onDone: () => {
      setPassword('')
      setNext('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <PasswordInput
          label="Present password"
          required
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          required
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Failure error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
