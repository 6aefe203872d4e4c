import {
  Alert,
  Anchor,
  Badge,
  Button,
  Checkbox,
  Group,
  Image,
  Modal,
  Select,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { StoreApi } from '../api/store.ts'
import { useApiIndex, useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { changesIn, Grid, type GridColumn, useGridEdits } from '../parts/grid.tsx'
import { Page } from '../parts/page.tsx'
import { ReviewButtons } from '../parts/review-buttons.tsx'
import { Money } from '../parts/values.tsx'
import { ResourceList } from './list/list.tsx'
import { RequestList } from './requests/rows.tsx'

interface Product {
  id: number
  name: string
  sku: string
  price: number
  is_visible: boolean
  availability: string
  inventory_level: number
  inventory_tracking: string
}

interface Variant {
  id: number
  sku: string
  price: number | null
  sale_price: number | null
  cost_price: number | null
  calculated_price: number
  weight: number | null
  inventory_level: number | null
  inventory_warning_level: number | null
  purchasing_disabled: boolean
  option_values: { label: string; option_display_name: string }[]
}

interface Picture {
  id: number
  is_thumbnail: boolean
  sort_order: number
  description: string
  image_url: string
  url_tiny: string
}

/** The API takes this many variants in one request. */
const VARIANTS_AT_ONCE = 50
const VARIANTS_LISTED = 250

/** A product with its variants as a grid, its pictures in their order, and its options. */
export function ProductPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const path = `/v3/catalog/products/${id}`
  const key = ['product', hash, id]
  const product = useQuery({ queryKey: key, queryFn: () => api.data<Product>(path) })
  const { data: index } = useApiIndex()
  if (!product.data) return <Pending error={product.error}>Loading the product</Pending>
  const { name, sku, price, is_visible, inventory_level, inventory_tracking } = product.data
  const options = index?.resources.get('listProductOptions')
  return (
    <Page
      title={name}
      about={
        <>
          {is_visible ? 'Visible' : 'Hidden'}, price <Money amount={price} />
          {sku !== '' && `, SKU ${sku}`},{' '}
          {inventory_tracking === 'none'
            ? 'stock is not tracked'
            : `${inventory_level} for sale, tracked by ${inventory_tracking}`}
        </>
      }
      actions={
        <Button component={Link} variant="default" to={`/stores/${hash}/lists/listProducts/${id}`}>
          All fields
        </Button>
      }
    >
      <Tabs defaultValue="variants" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="variants">Variants</Tabs.Tab>
          <Tabs.Tab value="pictures">Pictures</Tabs.Tab>
          <Tabs.Tab value="options">Options</Tabs.Tab>
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="variants" pt="md">
          <Variants api={api} path={path} tracking={inventory_tracking} refresh={[key]} />
        </Tabs.Panel>
        <Tabs.Panel value="pictures" pt="md">
          <Pictures api={api} path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="options" pt="md">
          {options ? <ResourceList hash={hash} resource={options} embedded={{ '@product_id': id }} /> : <Pending />}
        </Tabs.Panel>
        <Tabs.Panel value="changes" pt="md">
          <Stack>
            <RequestList hash={hash} query={{ path: `catalog/products/${id}`, changes: 'true' }} />
            <Title order={2} size="h4">
              Changes of several products or variants at once, as by the grid
            </Title>
            <RequestList hash={hash} query={{ operation: 'PUT /v3/catalog/variants', changes: 'true' }} />
            <RequestList hash={hash} query={{ operation: 'PUT /v3/catalog/products', changes: 'true' }} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const COLUMNS: readonly GridColumn<Variant>[] = [
  { name: 'sku', label: 'SKU', kind: 'text', value: ({ sku }) => sku },
  { name: 'price', label: 'Price', kind: 'number', isNullable: true, value: ({ price }) => price },
  { name: 'sale_price', label: 'Sale price', kind: 'number', isNullable: true, value: ({ sale_price }) => sale_price },
  { name: 'cost_price', label: 'Cost', kind: 'number', isNullable: true, value: ({ cost_price }) => cost_price },
  { name: 'weight', label: 'Weight', kind: 'number', isNullable: true, value: ({ weight }) => weight },
  { name: 'purchasing_disabled', label: 'Not for sale', kind: 'flag', value: (one) => one.purchasing_disabled },
]
const STOCK_COLUMNS: readonly GridColumn<Variant>[] = [
  { name: 'inventory_level', label: 'Stock', kind: 'whole', value: ({ inventory_level }) => inventory_level },
  { name: 'inventory_warning_level', label: 'Low from', kind: 'whole', value: (one) => one.inventory_warning_level },
]

const keyOf = ({ id }: Variant) => String(id)
const labelOf = ({ sku, option_values, id }: Variant) =>
  option_values.map(({ label }) => label).join(', ') || sku || `variant ${id}`

function Variants({
  api,
  path,
  tracking,
  refresh,
}: {
  api: StoreApi
  path: string
  tracking: string
  refresh: unknown[][]
}) {
  const key = ['variants', api.hash, path]
  const variants = useQuery({
    queryKey: key,
    queryFn: () => api.data<Variant[]>(`${path}/variants`, { limit: VARIANTS_LISTED }),
  })
  const edits = useGridEdits()
  const [isReviewing, setReviewing] = useState(false)
  const columns = tracking === 'variant' ? [...COLUMNS, ...STOCK_COLUMNS] : COLUMNS
  const rows = variants.data ?? []
  const { changes, mistakes } = changesIn(rows, { keyOf, columns, edits })
  const save = useAction(
    async () => {
      const bodies = changes.map(({ row, values }) => ({ id: row.id, ...values }))
      for (let start = 0; start < bodies.length; start += VARIANTS_AT_ONCE) {
        await api.call('PUT', '/v3/catalog/variants', { body: bodies.slice(start, start + VARIANTS_AT_ONCE) })
      }
    },
    {
      done: 'The variants are saved.',
      refresh: [key, ...refresh],
      onDone: () => {
        edits.clear()
        setReviewing(false)
      },
    },
  )
  if (!variants.data) return <Pending error={variants.error} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (changes.length === 0 || mistakes.size > 0) return
    if (isReviewing) save.mutate()
    else setReviewing(true)
  }
  return (
    <Stack gap="sm">
      <FillColumn columns={columns} onFill={(column, value) => edits.set(rows.map(keyOf), column, value)} />
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Grid
            rows={rows}
            keyOf={keyOf}
            labelOf={labelOf}
            columns={columns}
            edits={edits}
            mistakes={mistakes}
            lead={[
              { label: 'Variant', cell: labelOf },
              { label: 'Sold for', cell: ({ calculated_price }) => <Money amount={calculated_price} /> },
            ]}
          />
          <Text size="sm" c="dimmed">
            Empty prices and weights are those of the product. Enter and the arrow keys go to the row below or above.
            {rows.length === VARIANTS_LISTED && ` These are the first ${VARIANTS_LISTED} variants.`}
          </Text>
          {isReviewing && (
            <Alert title={`${changes.length} variants will change`} color="blue">
              {changes.map(({ row, key: variant, values }) => (
                <Text size="sm" key={variant}>
                  {labelOf(row)}:{' '}
                  {Object.entries(values)
                    .map(([name, value]) => {
                      const column = columns.find((one) => one.name === name)
                      return `${column?.label ?? name} ${String(column?.value(row) ?? 'empty')} → ${String(value ?? 'empty')}`
                    })
                    .join(', ')}
                </Text>
              ))}
            </Alert>
          )}
          <Failure error={save.error} />
          <ReviewButtons
            changed={`${changes.length} variants`}
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
    </Stack>
  )
}

/** Types one value into a column of all rows. */
function FillColumn({
  columns,
  onFill,
}: {
  columns: readonly GridColumn<Variant>[]
  onFill(column: string, value: string | boolean): void
}) {
  const [name, setName] = useState('price')
  const [value, setValue] = useState('')
  const isFlag = columns.find((column) => column.name === name)?.kind === 'flag'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFill(name, isFlag ? value === 'true' : value)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <Select
          label="Set for all variants"
          allowDeselect={false}
          w={180}
          data={columns
            .filter((column) => column.name !== 'sku')
            .map((column) => ({ value: column.name, label: column.label }))}
          value={name}
          onChange={(chosen) => chosen && setName(chosen)}
        />
        {isFlag ? (
          <Checkbox
            mb={8}
            label="yes"
            checked={value === 'true'}
            onChange={(event) => setValue(event.currentTarget.checked ? 'true' : '')}
          />
        ) : (
          <TextInput
            aria-label="Value"
            w={120}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <Button type="submit" variant="default">
          Fill in
        </Button>
      </Group>
    </form>
  )
}

/** Pictures of this server are shown; the console loads nothing from another host, so other pictures are links. */
const ownAddress = (url: string): string | undefined => {
  const path = URL.parse(url)?.pathname
  return path?.startsWith('/files/') ? path : undefined
}

function Pictures({ api, path }: { api: StoreApi; path: string }) {
  const key = ['pictures', api.hash, path]
  const pictures = useQuery({
    queryKey: key,
    queryFn: async () => {
      const list = await api.data<Picture[]>(`${path}/images`, { limit: 250 })
      return list.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id)
    },
  })
  const [order, setOrder] = useState<number[]>()
  const [dragged, setDragged] = useState<number>()
  const [isAdding, setAdding] = useState(false)
  const done = { refresh: [key], onDone: () => setOrder(undefined) }
  const save = useAction(
    async (list: readonly Picture[]) => {
      for (const [i, { id, sort_order }] of list.entries()) {
        if (sort_order !== i) await api.call('PUT', `${path}/images/${id}`, { body: { sort_order: i } })
      }
    },
    { done: 'The order is saved.', ...done },
  )
  const change = useAction(
    ({ id, body }: { id: number; body: object }) => api.call('PUT', `${path}/images/${id}`, { body }),
    { done: 'The picture is changed.', ...done },
  )
  const remove = useAction((id: number) => api.call('DELETE', `${path}/images/${id}`), {
    done: 'The picture is deleted.',
    ...done,
  })
  if (!pictures.data) return <Pending error={pictures.error} />
  const byId = new Map(pictures.data.map((picture) => [picture.id, picture]))
  const list = order?.flatMap((id) => byId.get(id) ?? []) ?? pictures.data
  const move = (id: number, to: number) => {
    const ids = list.map((picture) => picture.id).filter((one) => one !== id)
    setOrder(ids.toSpliced(Math.max(0, to), 0, id))
  }
  return (
    <Stack gap="sm">
      <Group>
        <Button onClick={() => setAdding(true)}>Add a picture</Button>
        {order && (
          <>
            <Button loading={save.isPending} onClick={() => save.mutate(list)}>
              Save the order
            </Button>
            <Button variant="subtle" onClick={() => setOrder(undefined)}>
              Discard
            </Button>
          </>
        )}
      </Group>
      {list.length === 0 && (
        <Text c="dimmed">The product has no picture. Add the first one with the button above.</Text>
      )}
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Pictures in their order">
        {list.map((picture, i) => (
          <Group
            component="li"
            key={picture.id}
            gap="sm"
            p="xs"
            style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 4, cursor: 'grab' }}
            draggable
            onDragStart={() => setDragged(picture.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== undefined && move(dragged, i)}
          >
            <PictureOf picture={picture} />
            <div style={{ flex: 1, minWidth: 120 }}>
              <Text size="sm">{picture.description || `Picture ${picture.id}`}</Text>
              {picture.is_thumbnail && (
                <Badge variant="outline" color="gray" tt="none" style={{ color: 'inherit' }}>
                  thumbnail
                </Badge>
              )}
            </div>
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Move picture ${picture.id} up`}
                disabled={i === 0}
                onClick={() => move(picture.id, i - 1)}
              >
                Up
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Move picture ${picture.id} down`}
                disabled={i === list.length - 1}
                onClick={() => move(picture.id, i + 1)}
              >
                Down
              </Button>
              {!picture.is_thumbnail && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Make picture ${picture.id} the thumbnail`}
                  onClick={() => change.mutate({ id: picture.id, body: { is_thumbnail: true } })}
                >
                  Thumbnail
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="outline"
                color="red"
                aria-label={`Delete picture ${picture.id}`}
                onClick={() => confirm('Delete the picture?') && remove.mutate(picture.id)}
              >
                Delete
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
      {isAdding && <AddPicture api={api} path={path} refresh={[key]} onClose={() => setAdding(false)} />}
    </Stack>
  )
}

function PictureOf({ picture: { url_tiny, image_url, description } }: { picture: Picture }) {
  const src = ownAddress(url_tiny)
  if (src !== undefined) return <Image src={src} alt={description} w={64} h={64} fit="contain" />
  return (
    <Anchor href={image_url} target="_blank" rel="noreferrer" size="sm">
      on another host
    </Anchor>
  )
}

function AddPicture({
  api,
  path,
  refresh,
  onClose,
}: {
  api: StoreApi
  path: string
  refresh: unknown[][]
  onClose(): void
}) {
  const [url, setUrl] = useState('')
  const [file, setFile] = useState<File>()
  const [description, setDescription] = useState('')
  const add = useAction(
    () => {
      if (!file) return api.call('POST', `${path}/images`, { body: { image_url: url, description } })
      const form = new FormData()
      form.append('image_file', file)
      form.append('description', description)
      return api.call('POST', `${path}/images`, { body: form })
    },
    { done: 'The picture is added.', refresh, onDone: onClose },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Add a picture">
      <form onSubmit={submit}>
        <Stack>
          <label>
            <Text size="sm" component="span">
              A file
            </Text>
            <br />
            <input type="file" accept="image/*" onChange={(event) => setFile(event.currentTarget.files?.[0])} />
          </label>
          <TextInput
            label="Or an address that the server fetches"
            type="url"
            disabled={file !== undefined}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TextInput
            label="Description"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Failure error={add.error} />
          <Button type="submit" disabled={!file && url === ''} loading={add.isPending}>
            Add
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
