import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator } from '../../api/operator.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { type AccountSecrets, NewSecrets } from '../../parts/secrets.tsx'
import { Rows } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

interface Snapshot {
  name: string
  created_at: string
}

/** Snapshots of a store, and forks: new test stores with its data. */
export function Copies({ hash, isTest }: { hash: string; isTest: boolean }) {
  const path = `/stores/${hash}/snapshots`
  const key = ['snapshots', hash]
  const snapshots = useQuery({ queryKey: key, queryFn: () => operator<Snapshot[]>('GET', path) })
  const [name, setName] = useState('')
  const [restored, setRestored] = useState<string>()
  const take = useAction(() => operator('POST', path, { name }), {
    done: 'The snapshot is taken.',
    refresh: [key],
    onDone: () => setName(''),
  })
  const restore = useAction((name: string) => operator('POST', `${path}/${name}/restore`), {
    done: 'The store has the data of the snapshot.',
    // All that the pages show of the store is another one now.
    refresh: [[]],
    onDone: () => setRestored(undefined),
  })
  const remove = useAction((name: string) => operator('DELETE', `${path}/${name}`), {
    done: 'The snapshot is deleted.',
    refresh: [key],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take.mutate()
  }
  if (!snapshots.data) return <Pending error={snapshots.error} />
  return (
    <Stack gap="xs">
      <Fork hash={hash} />
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label="Name of a new snapshot"
            required
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={take.isPending}>
            Take a snapshot
          </Button>
        </Group>
      </form>
      <Failure error={take.error ?? remove.error} />
      <Rows
        head={['Snapshot', 'Taken', 'Actions']}
        empty="The store has no snapshot. Take the first one with the button above."
        rows={snapshots.data.map(({ name, created_at }) => ({
          key: name,
          cells: [
            name,
            <Time key="at" at={created_at} />,
            <Group key="actions" gap="xs" wrap="nowrap">
              {isTest && (
                <Button size="compact-sm" variant="default" onClick={() => setRestored(name)}>
                  Restore
                </Button>
              )}
              <Button size="compact-sm" variant="outline" color="red" onClick={() => remove.mutate(name)}>
                Delete
              </Button>
            </Group>,
          ],
        }))}
      />
      <Modal opened={restored !== undefined} onClose={() => setRestored(undefined)} title={`Restore ${restored}?`}>
        <Stack>
          <Text size="sm">The data of the snapshot replaces all data of the store. This can't be undone.</Text>
          <Failure error={restore.error} />
          <Button color="red" loading={restore.isPending} onClick={() => restored && restore.mutate(restored)}>
            Restore the store
          </Button>
        </Stack>
      </Modal>
    </Stack>
  )
}

interface ForkedStore {
  hash: string
  account: AccountSecrets
}

function Fork({ hash }: { hash: string }) {
  const fork = useAction(() => operator<ForkedStore>('POST', `/stores/${hash}/forks`, {}), { refresh: [['stores']] })
  return (
    <>
      <Group>
        <Button variant="default" loading={fork.isPending} onClick={() => fork.mutate()}>
          Fork the store
        </Button>
      </Group>
      <Failure error={fork.error} />
      <Modal
        opened={fork.data !== undefined}
        onClose={fork.reset}
        title="The fork"
        size="lg"
        closeOnClickOutside={false}
      >
        {fork.data && (
          <NewSecrets
            account={fork.data.account}
            action={
              <Button component={Link} to={`/stores/${fork.data.hash}`}>
                Open the store
              </Button>
            }
          >
            The test store {fork.data.hash} has the data of {hash}.
          </NewSecrets>
        )}
      </Modal>
    </>
  )
}
