import { Button, Group, PasswordInput, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator } from '../api/operator.ts'
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

/** Password and sessions of the person. */
export function MePage() {
  const sessions = useQuery({ queryKey: KEY, queryFn: () => operator<Session[]>('GET', '/sessions') })
  const end = useAction((id: number) => operator('DELETE', `/sessions/${id}`), {
    done: 'The session has ended.',
    refresh: [KEY],
  })
  if (!sessions.data) return <Pending error={sessions.error} />
  return (
    <Page title="Password and sessions">
      <ChangePassword />
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
