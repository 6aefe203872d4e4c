import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { StoreApi } from '../api/store.ts'
import { useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { changesIn, Grid, type GridColumn, useGridEdits } from '../parts/grid.tsx'
import { Page } from '../parts/page.tsx'
import { ReviewButtons } from '../parts/review-buttons.tsx'
import { Rows } from '../parts/table.tsx'
import { State, Time } from '../parts/values.tsx'

interface Identity {
  sku: string
  product_id: number
  /** Only if the stock is that of a variant. */
  variant_id?: number
}

interface StockRow {
  identity: Identity
  location_id: number
  location_name: string
  available_to_sell: number
  total_inventory_onhand: number
  settings: { safety_stock: number; is_in_stock: boolean; warning_level: number; bin_picking_number: string }
}

interface StockAnswer {
  data: { identity: Identity; locations: StockRow[] }[]
  meta: { pagination: { total: number; total_pages: number } }
}

interface StockChange {
  transaction_id: string
  location_id: number
  cause: string
  amount_before: number
  amount_after: number
  reason: string
  client_id: string | null
  order_id: number | null
  changed_at: string
}

const LIMIT = 50
const nameOfItem = ({ sku, product_id, variant_id }: Identity) =>
  sku || (variant_id === undefined ? `product ${product_id}` : `variant ${variant_id}`)
const keyOf = ({ identity, location_id }: StockRow) =>
  `${identity.product_id}-${identity.variant_id ?? 'all'}-${location_id}`
const labelOf = ({ identity, location_name }: StockRow) => `${nameOfItem(identity)} at ${location_name}`

const COUNTED: GridColumn<StockRow> = {
  name: 'counted',
  label: 'Counted',
  kind: 'whole',
  value: ({ total_inventory_onhand }) => total_inventory_onhand,
}

const SETTINGS: readonly GridColumn<StockRow>[] = [
  { name: 'warning_level', label: 'Low from', kind: 'whole', value: ({ settings }) => settings.warning_level },
  { name: 'safety_stock', label: 'Kept back', kind: 'whole', value: ({ settings }) => settings.safety_stock },
  { name: 'bin_picking_number', label: 'Bin', kind: 'text', value: ({ settings }) => settings.bin_picking_number },
]
const COLUMNS = [COUNTED, ...SETTINGS]

/** Items by location: counted amounts and settings of many at once, and how each amount came about. */
export function InventoryPage() {
  const { hash = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const api = useStoreApi(hash)
  const navigate = useNavigate()
  const edits = useGridEdits()
  const [reason, setReason] = useState('')
  const [isReviewing, setReviewing] = useState(false)
  const [history, setHistory] = useState<StockRow>()
  const [adjusted, setAdjusted] = useState<StockRow>()
  const locations = useQuery({
    queryKey: ['locations', hash],
    queryFn: () => api.data<{ id: number; label: string }[]>('/v3/inventory/locations', { limit: 250 }),
  })
  const page = Number(search.page ?? 1)
  const query = { page, limit: LIMIT, 'location_id:in': search.location, 'sku:in': search.sku }
  const key = ['inventory', hash]
  const items = useQuery({
    queryKey: [...key, query],
    placeholderData: keepPreviousData,
    queryFn: async () => (await api.call<StockAnswer>('GET', '/v3/inventory/items', { query })).body,
  })
  const rows = (items.data?.data ?? [])
    .flatMap(({ identity, locations: at }) => at.map((row) => ({ ...row, identity })))
    .filter((row) => search.low !== '1' || isLow(row) || edits.typed[keyOf(row)])
  const { changes, mistakes } = changesIn(rows, { keyOf, columns: COLUMNS, edits })
  const save = useAction(() => saveChanges(api, changes, reason), {
    done: 'The stock is saved.',
    refresh: [key, ['stock history', hash]],
    onDone: () => {
      edits.clear()
      setReason('')
      setReviewing(false)
    },
  })
  const show = (change: Record<string, string | null>) => {
    if (edits.isDirty && !confirm('Show other items? The changes are not saved.')) return
    edits.clear()
    const all = Object.entries({ ...search, page: '', ...change })
    const next = all.flatMap(([name, value]) => (value ? [[name, value]] : []))
    // The edits of the former list are gone, so leaving is not asked twice.
    setTimeout(() => navigate({ to: `/stores/${hash}/inventory`, search: Object.fromEntries(next) }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mistakes.size > 0 || changes.length === 0) return
    if (isReviewing) save.mutate()
    else setReviewing(true)
  }
  const pagination = items.data?.meta.pagination
  return (
    <Page
      title="Stock"
      about={`${pagination?.total.toLocaleString() ?? 'The'} items with stock. Type counted amounts into the grid; Enter goes to the next row.`}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label="Location"
          clearable
          placeholder="All locations"
          data={(locations.data ?? []).map(({ id, label }) => ({ value: String(id), label }))}
          value={search.location ?? null}
          onChange={(location) => show({ location })}
        />
        <SkuFilter sku={search.sku ?? ''} onFind={(sku) => show({ sku })} />
        <Checkbox
          label="Only low ones of this page"
          mb={8}
          checked={search.low === '1'}
          onChange={(event) => show({ low: event.currentTarget.checked ? '1' : null, page: search.page ?? null })}
        />
      </Group>
      {!items.data ? (
        <Pending error={items.error} />
      ) : rows.length === 0 ? (
        <Text c="dimmed">No item matches. Items have stock when their product tracks its inventory.</Text>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Grid
              rows={rows}
              keyOf={keyOf}
              labelOf={labelOf}
              columns={COLUMNS}
              edits={edits}
              mistakes={mistakes}
              lead={[
                { label: 'SKU', cell: ({ identity }) => nameOfItem(identity) },
                { label: 'Location', cell: (row) => row.location_name },
                { label: 'For sale', cell: (row) => row.available_to_sell },
                { label: 'State', cell: (row) => <State state={isLow(row) ? 'low' : 'enough'} /> },
              ]}
              tail={[
                {
                  label: 'Actions',
                  cell: (row) => (
                    <Group gap="xs" wrap="nowrap">
                      <Button size="compact-sm" variant="default" onClick={() => setAdjusted(row)}>
                        Adjust
                      </Button>
                      <Button size="compact-sm" variant="default" onClick={() => setHistory(row)}>
                        History
                      </Button>
                    </Group>
                  ),
                },
              ]}
            />
            {edits.isDirty && (
              <TextInput
                label="Reason"
                description="It stands in the history of each amount."
                maw={420}
                maxLength={255}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            {isReviewing && (
              <Alert title={`${changes.length} rows will change`} color="blue">
                {changes.map(({ key: row, row: stock, values }) => (
                  <Text size="sm" key={row}>
                    {labelOf(stock)}:{' '}
                    {Object.entries(values)
                      .map(([name, value]) => `${nameOf(name)} ${formerOf(stock, name)} → ${String(value)}`)
                      .join(', ')}
                  </Text>
                ))}
              </Alert>
            )}
            <Failure error={save.error} />
            <ReviewButtons
              changed={`${changes.length} rows`}
              isReviewing={isReviewing}
              isDirty={edits.isDirty}
              isDisabled={changes.length === 0 || mistakes.size > 0}
              isSaving={save.isPending}
              onDiscard={() => {
                edits.clear()
                setReviewing(false)
              }}
            />
          </Stack>
        </form>
      )}
      <Group>
        <Button variant="default" disabled={page <= 1} onClick={() => show({ page: String(page - 1) })}>
          Previous
        </Button>
        <Text size="sm">
          Page {page} of {Math.max(1, pagination?.total_pages ?? 1)}
        </Text>
        <Button
          variant="default"
          disabled={page >= (pagination?.total_pages ?? 1)}
          onClick={() => show({ page: String(page + 1) })}
        >
          Next
        </Button>
      </Group>
      {history && <History api={api} row={history} onClose={() => setHistory(undefined)} />}
      {adjusted && <Adjust api={api} row={adjusted} refresh={[key]} onClose={() => setAdjusted(undefined)} />}
    </Page>
  )
}

const isLow = ({ available_to_sell, settings }: StockRow) => available_to_sell <= settings.warning_level
const nameOf = (column: string) => COLUMNS.find(({ name }) => name === column)?.label.toLowerCase() ?? column
const formerOf = (row: StockRow, column: string) => String(COLUMNS.find(({ name }) => name === column)?.value(row))

/** Sends the settings of each location, then all counted amounts in one request: either all are stored or none. */
async function saveChanges(api: StoreApi, changes: ReturnType<typeof changesIn<StockRow>>['changes'], reason: string) {
  const settings = changes.flatMap(({ row, values: { counted: _, ...values } }) =>
    Object.keys(values).length === 0 ? [] : [{ at: row.location_id, ...values, identity: identityOf(row) }],
  )
  for (const at of new Set(settings.map((one) => one.at))) {
    const ofLocation = settings.filter((one) => one.at === at).map(({ at: _, ...one }) => one)
    await api.call('PUT', `/v3/inventory/locations/${at}/items`, { body: { settings: ofLocation } })
  }
  const counted = changes.flatMap(({ row, values }) =>
    values.counted === undefined
      ? []
      : [{ location_id: row.location_id, quantity: values.counted, ...identityOf(row) }],
  )
  if (counted.length === 0) return
  await api.call('PUT', '/v3/inventory/adjustments/absolute', { body: { ...reasonOf(reason), items: counted } })
}

const reasonOf = (reason: string) => (reason.trim() === '' ? {} : { reason: reason.trim() })
const identityOf = ({ identity: { product_id, variant_id } }: StockRow) =>
  variant_id === undefined ? { product_id } : { variant_id }

function SkuFilter({ sku, onFind }: { sku: string; onFind(sku: string): void }) {
  const [text, setText] = useState(sku)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFind(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="SKUs"
          placeholder="MUG-1,MUG-2"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  )
}

function Adjust({
  api,
  row,
  refresh,
  onClose,
}: {
  api: StoreApi
  row: StockRow
  refresh: unknown[][]
  onClose(): void
}) {
  const [quantity, setQuantity] = useState('')
  const [reason, setReason] = useState('')
  const difference = Number(quantity)
  const isValid = quantity.trim() !== '' && Number.isInteger(difference) && difference !== 0
  const items = [{ location_id: row.location_id, ...identityOf(row), quantity: difference }]
  const save = useAction(
    () => api.call('POST', '/v3/inventory/adjustments/relative', { body: { ...reasonOf(reason), items } }),
    { done: 'The stock is adjusted.', refresh, onDone: onClose },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid) save.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={`Adjust ${labelOf(row)}`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Difference"
            description={`${row.total_inventory_onhand} are there. Type 5 for a delivery, -1 for a broken one.`}
            data-autofocus
            required
            inputMode="numeric"
            value={quantity}
            error={quantity === '' || isValid ? undefined : 'This is not a difference in whole units.'}
            onChange={(event) => setQuantity(event.currentTarget.value)}
          />
          <TextInput
            label="Reason"
            maxLength={255}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Failure error={save.error} />
          <Button type="submit" disabled={!isValid} loading={save.isPending}>
            {isValid ? `Change to ${row.total_inventory_onhand + difference}` : 'Adjust'}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

/** How an amount came about: the newest changes first. */
function History({ api, row, onClose }: { api: StoreApi; row: StockRow; onClose(): void }) {
  const query = { ...identityOf(row), 'location_id:in': row.location_id, limit: 50 }
  const changes = useQuery({
    queryKey: ['stock history', api.hash, query],
    queryFn: () => api.data<StockChange[]>('/v3/inventory/adjustments', query),
  })
  return (
    <Modal opened onClose={onClose} size="xl" title={`History of ${labelOf(row)}`}>
      {!changes.data ? (
        <Pending error={changes.error} />
      ) : (
        <Rows
          head={['When', 'Cause', 'From', 'To', 'Reason', 'By']}
          empty="This amount has not changed since changes are recorded."
          rows={changes.data.map((change) => ({
            key: `${change.transaction_id} ${change.changed_at} ${change.amount_after}`,
            cells: [
              <Time key="at" at={change.changed_at} />,
              change.cause.replaceAll('_', ' '),
              change.amount_before,
              change.amount_after,
              change.reason,
              change.order_id === null ? (change.client_id ?? '–') : `order ${change.order_id}`,
            ],
          }))}
        />
      )}
    </Modal>
  )
}
