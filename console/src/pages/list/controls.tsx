import { Anchor, Button, Checkbox, Group, Pill, Popover, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Column, Parameter, Resource } from '../../api/document.ts'
import { PARENT } from './path.ts'

/** Query parameters that the page has controls of its own for. */
export const CONTROLLED = new Set([
  'page',
  'limit',
  'sort',
  'direction',
  'include_fields',
  'exclude_fields',
  'before',
  'after',
])

/** The name of a column; one by which the API sorts is a button. */
export function Heading({
  column: { name },
  resource,
  search,
  setSearch,
}: {
  column: Column
  resource: Resource
  search: Readonly<Record<string, string>>
  setSearch(changes: Record<string, string | undefined>): void
}) {
  const sort = resource.list.parameters.find((parameter) => parameter.name === 'sort')
  const orders = sort?.schema?.enum ?? sort?.schema?.items?.enum ?? []
  if (!orders.includes(name)) return <>{name}</>
  const isSorted = search.sort === name
  const direction = isSorted && search.direction !== 'desc' ? 'desc' : 'asc'
  return (
    <Anchor
      component="button"
      type="button"
      fw={700}
      fz="sm"
      aria-label={`Sort by ${name}, ${direction === 'asc' ? 'lowest first' : 'highest first'}`}
      onClick={() => setSearch({ sort: name, direction })}
    >
      {name}
      {isSorted ? (search.direction === 'desc' ? ' ↓' : ' ↑') : ''}
    </Anchor>
  )
}

/** The filters of the API as chips. */
export function Filters({
  filters,
  search,
  setSearch,
  resource,
}: {
  filters: readonly Parameter[]
  search: Readonly<Record<string, string>>
  setSearch(changes: Record<string, string | undefined>): void
  resource: Resource
}) {
  const [name, setName] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const chosen = filters.find((filter) => filter.name === name)
  const active = Object.entries(search).filter(([key]) => !CONTROLLED.has(key) && !key.startsWith(PARENT))
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name === null) return
    setSearch({ [name]: value })
    setName(null)
    setValue('')
  }
  if (filters.length === 0) return null
  const choices = chosen?.schema?.enum ?? chosen?.schema?.items?.enum
  return (
    <Stack gap="xs">
      <form onSubmit={add}>
        <Group gap="xs" align="flex-end">
          <Select
            aria-label={`Filter of ${resource.list.tag}`}
            placeholder="Add a filter"
            searchable
            w={230}
            data={filters.map((filter) => filter.name)}
            value={name}
            onChange={setName}
          />
          {chosen &&
            (choices ? (
              <Select
                aria-label="Value"
                data={choices.map(String)}
                value={value || null}
                onChange={(text) => setValue(text ?? '')}
              />
            ) : (
              <TextInput
                aria-label="Value"
                value={value}
                onChange={(event) => setValue(event.currentTarget.value)}
                data-autofocus
              />
            ))}
          {chosen && <Button type="submit">Filter</Button>}
        </Group>
      </form>
      {chosen?.description !== undefined && (
        <Text size="xs" c="dimmed">
          {chosen.description}
        </Text>
      )}
      {active.length > 0 && (
        <Group gap={6}>
          {active.map(([key, text]) => (
            <Pill
              key={key}
              withRemoveButton
              removeButtonProps={{ 'aria-label': `Remove the filter ${key}`, 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => setSearch({ [key]: undefined })}
            >
              {key} = {text}
            </Pill>
          ))}
        </Group>
      )}
    </Stack>
  )
}

/** Chooses the columns. */
export function Columns({
  resource,
  shown,
  setShown,
}: {
  resource: Resource
  shown: string[]
  setShown(names: string[]): void
}) {
  return (
    <Popover position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant="default">Columns</Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflow: 'auto' }}>
        <Checkbox.Group value={shown} onChange={setShown} label="Columns">
          <Stack gap={6} mt={6}>
            {resource.columns.map(({ name }) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
