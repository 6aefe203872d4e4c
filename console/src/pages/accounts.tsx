import { Anchor, Button, Group, Modal, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Account, operator } from '../api/operator.ts'
import { useApiIndex } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { type AccountSecrets, NewSecrets } from '../parts/secrets.tsx'
import { Rows } from '../parts/table.tsx'
import { closing } from '../parts/unsaved.ts'
import { Copied, Time } from '../parts/values.tsx'

const PRESETS = ['all', 'read_only', 'none']

/** The API accounts of a store: what each may do, and its secrets. */
export function AccountsPage() {
  const { hash = '' } = useParams({ strict: false })
  const key = ['accounts', hash]
  const accounts = useQuery({ queryKey: key, queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`) })
  const [isCreating, setCreating] = useState(false)
  const [changed, setChanged] = useState<Account>()
  const [revoked, setRevoked] = useState<Account>()
  const rotate = useAction(
    (account: Account) =>
      operator<{ client_secret: string }>('POST', `/stores/${hash}/accounts/${account.client_id}/secret`),
    { refresh: [key] },
  )
  const revoke = useAction((account: Account) => operator('DELETE', `/stores/${hash}/accounts/${account.client_id}`), {
    done: 'The account is revoked.',
    refresh: [key],
    onDone: () => setRevoked(undefined),
  })
  const overview = useQuery({
    queryKey: ['overview', hash],
    queryFn: () => operator<{ quota: Quota | null }>('GET', `/stores/${hash}/overview`),
  })
  const quota = sentenceOf(overview.data?.quota)
  if (!accounts.data) return <Pending error={accounts.error} />
  return (
    <Page
      title="API accounts"
      about={
        <>An account is a program with an access token. Its scopes decide which requests its token opens. {quota}</>
      }
      actions={<Button onClick={() => setCreating(true)}>Create an account</Button>}
    >
      <Rows
        head={['Name', 'Client id', 'Scopes', 'Created', 'Last request', 'Actions']}
        empty="There is no account. Create the first one with the button above, to call the API of this store."
        rows={accounts.data.map((account) => ({
          key: account.client_id,
          cells: [
            account.name,
            <Copied key="id" text={account.client_id} />,
            `${account.scopes.length} scopes`,
            <Time key="at" at={account.created_at} />,
            account.last_request_at === null ? (
              'none among the newest'
            ) : (
              <Anchor
                key="use"
                renderRoot={(props) => (
                  <Link {...props} to={`/stores/${hash}/requests`} search={{ client_id: account.client_id }} />
                )}
              >
                <Time at={account.last_request_at} />
              </Anchor>
            ),
            <Group key="actions" gap="xs" wrap="nowrap">
              <Button size="compact-sm" variant="default" onClick={() => setChanged(account)}>
                Scopes
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => rotate.mutate(account)}>
                New secret
              </Button>
              <Button size="compact-sm" variant="outline" color="red" onClick={() => setRevoked(account)}>
                Revoke
              </Button>
            </Group>,
          ],
        }))}
      />
      <MayIt accounts={accounts.data} />
      {isCreating && <CreateAccount hash={hash} onClose={() => setCreating(false)} />}
      {changed && <ChangeScopes hash={hash} account={changed} onClose={() => setChanged(undefined)} />}
      <Modal opened={rotate.data !== undefined} onClose={rotate.reset} title="The new client secret">
        <Stack>
          <Text size="sm">It is shown only here, and only now. The former one stays valid for 24 hours.</Text>
          <Copied text={rotate.data?.client_secret ?? ''} />
        </Stack>
      </Modal>
      <Modal opened={revoked !== undefined} onClose={() => setRevoked(undefined)} title={`Revoke ${revoked?.name}?`}>
        <Stack>
          <Text size="sm">Its token fails within a second, and its webhooks and scripts are deleted.</Text>
          <Button color="red" loading={revoke.isPending} onClick={() => revoked && revoke.mutate(revoked)}>
            Revoke the account
          </Button>
        </Stack>
      </Modal>
    </Page>
  )
}

interface Quota {
  in_30_seconds: number | null
  in_an_hour: number | null
  is_shared: boolean
}

/** The quota of the plan in words. */
function sentenceOf(quota: Quota | null | undefined): string {
  if (!quota) return ''
  const { in_30_seconds, in_an_hour, is_shared } = quota
  const bounds = [
    ...(in_30_seconds === null ? [] : [`${in_30_seconds.toLocaleString()} in 30 seconds`]),
    ...(in_an_hour === null ? [] : [`${in_an_hour.toLocaleString()} an hour`]),
  ]
  if (bounds.length === 0) return 'The plan of the store does not limit requests.'
  return `The plan allows ${bounds.join(' and ')}, ${is_shared ? 'for all accounts together' : 'for each account'}.`
}

/** The requests that a scope opens. */
function OpenedBy({ scope }: { scope: string }) {
  const { data: index } = useApiIndex()
  const opened = index?.operations.filter(({ scopes }) => scopes.includes(scope)) ?? []
  return (
    <Stack gap={2} mah={220} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={`Opened by ${scope}`}>
      {opened.map(({ id, method, path }) => (
        <Text key={id} size="xs" ff="monospace" style={{ overflowWrap: 'anywhere', flexShrink: 0 }}>
          {method} {path}
        </Text>
      ))}
      {opened.length === 0 && <Text size="sm">It opens no request by itself.</Text>}
    </Stack>
  )
}

/** Names the accounts that may send a request. */
function MayIt({ accounts }: { accounts: readonly Account[] }) {
  const { data: index } = useApiIndex()
  const [id, setId] = useState<string | null>(null)
  const operation = index?.operations.find((one) => one.id === id)
  const may = accounts.filter(({ scopes }) => operation?.scopes.some((scope) => scopes.includes(scope)))
  return (
    <Stack gap="xs" maw={720}>
      <Select
        label="Which accounts may send a request?"
        placeholder="Search requests"
        searchable
        limit={50}
        data={(index?.operations ?? []).map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
        value={id}
        onChange={setId}
      />
      {operation && (
        <Text size="sm">
          {may.length === 0 ? 'No account may send it.' : `${may.map(({ name }) => name).join(', ')} may send it.`} One
          of these scopes is needed: {operation.scopes.join(', ')}.
        </Text>
      )}
    </Stack>
  )
}

function useScopes() {
  const { data: index } = useApiIndex()
  return [...new Set(index?.operations.flatMap(({ scopes }) => scopes))].toSorted()
}

function CreateAccount({ hash, onClose }: { hash: string; onClose(): void }) {
  const all = useScopes()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(['read_only'])
  const create = useAction(() => operator<AccountSecrets>('POST', `/stores/${hash}/accounts`, { name, scopes }), {
    refresh: [['accounts', hash]],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Modal
      opened
      onClose={closing(create.data === undefined && name !== '', onClose)}
      title="Create an account"
      size="lg"
      closeOnClickOutside={false}
    >
      {create.data ? (
        <NewSecrets account={create.data} action={<Button onClick={onClose}>Close</Button>} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={255}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <MultiSelect
              label="Scopes"
              description="A preset or single scopes. Each account has store_v2_default and store_metafield_write, too."
              searchable
              data={[...PRESETS, ...all]}
              value={scopes}
              onChange={setScopes}
            />
            <Failure error={create.error} />
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

function ChangeScopes({ hash, account, onClose }: { hash: string; account: Account; onClose(): void }) {
  const all = useScopes()
  const [scopes, setScopes] = useState(account.scopes)
  const [explained, explain] = useState<string | null>(null)
  const save = useAction(() => operator('PUT', `/stores/${hash}/accounts/${account.client_id}`, { scopes }), {
    done: 'The scopes are changed. The token has them within a second.',
    refresh: [['accounts', hash]],
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={closing(scopes.join() !== account.scopes.join(), onClose)}
      title={`Scopes of ${account.name}`}
      size="lg"
    >
      <Stack>
        <MultiSelect
          label="Scopes"
          searchable
          data={[...new Set([...all, ...account.scopes])]}
          value={scopes}
          onChange={setScopes}
        />
        <Select
          label="Requests that a scope opens"
          placeholder="Choose a scope"
          searchable
          data={all}
          value={explained}
          onChange={explain}
        />
        {explained !== null && <OpenedBy scope={explained} />}
        <Failure error={save.error} />
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      </Stack>
    </Modal>
  )
}
