import { Checkbox, Table, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useUnsaved } from './unsaved.ts'

type CellValue = string | number | boolean | null | undefined

const COLUMN_WIDTH = 90

export interface GridColumn<Row> {
  name: string
  label: string
  value(row: Row): CellValue
  /** `whole` and `number` are typed as text and sent as numbers; a flag is a checkbox. */
  kind: 'text' | 'number' | 'whole' | 'flag'
  /** Whether an empty cell means null. */
  isNullable?: boolean
}

/** Typed cells of a grid: by row, then by column. Cells that were not changed are not in it. */
interface GridEdits {
  typed: Readonly<Record<string, Readonly<Record<string, string | boolean>>>>
  set(rows: readonly string[], column: string, value: string | boolean): void
  clear(): void
  isDirty: boolean
}

/** The typed cells of a grid. Leaving the page with some of them asks first. */
export function useGridEdits(): GridEdits {
  const [typed, setTyped] = useState<GridEdits['typed']>({})
  const isDirty = Object.keys(typed).length > 0
  useUnsaved(isDirty)
  return {
    typed,
    isDirty,
    clear: () => setTyped({}),
    set: (rows, column, value) =>
      setTyped((all) => ({
        ...all,
        ...Object.fromEntries(rows.map((row) => [row, { ...all[row], [column]: value }])),
      })),
  }
}

interface GridChange<Row> {
  row: Row
  key: string
  /** The new values by column, without those that equal the former ones. */
  values: Record<string, CellValue>
}

/** The changes of a grid, and the mistakes in typed cells by `row column`. */
export function changesIn<Row>(
  rows: readonly Row[],
  { keyOf, columns, edits }: { keyOf(row: Row): string; columns: readonly GridColumn<Row>[]; edits: GridEdits },
): { changes: GridChange<Row>[]; mistakes: ReadonlyMap<string, string> } {
  const mistakes = new Map<string, string>()
  const changes = rows.flatMap((row) => {
    const key = keyOf(row)
    const values: GridChange<Row>['values'] = {}
    for (const [name, text] of Object.entries(edits.typed[key] ?? {})) {
      const column = columns.find((one) => one.name === name)
      if (!column) continue
      const { value, mistake } = parse(column, text)
      if (mistake !== undefined) mistakes.set(`${key} ${name}`, mistake)
      else if (value !== (column.value(row) ?? (column.isNullable ? null : ''))) values[name] = value
    }
    return Object.keys(values).length === 0 ? [] : [{ row, key, values }]
  })
  return { changes, mistakes }
}

function parse<Row>(
  { kind, isNullable = false }: GridColumn<Row>,
  text: string | boolean,
): { value?: CellValue; mistake?: string } {
  if (kind === 'flag' || typeof text === 'boolean') return { value: text === true }
  if (text.trim() === '' && isNullable) return { value: null }
  if (kind === 'text') return { value: text }
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return { mistake: 'This is not a number.' }
  if (kind === 'whole' && !Number.isInteger(number)) return { mistake: 'This is not a whole number.' }
  return { value: number }
}

/** A table whose cells are typed in. Enter and the arrow keys go to the cell below or above. */
export function Grid<Row>({
  rows,
  keyOf,
  labelOf,
  lead,
  columns,
  edits,
  mistakes,
  tail = [],
}: {
  rows: readonly Row[]
  keyOf(row: Row): string
  /** The name of a row for screen readers. */
  labelOf(row: Row): string
  /** Columns before the typed ones, that are only read. */
  lead: readonly { label: string; cell(row: Row): ReactNode }[]
  columns: readonly GridColumn<Row>[]
  edits: GridEdits
  mistakes: ReadonlyMap<string, string>
  tail?: readonly { label: string; cell(row: Row): ReactNode }[]
}) {
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    const cell = event.currentTarget.closest('td')
    const row = cell?.parentElement
    const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling
    const input = next?.children[[...(row?.children ?? [])].indexOf(cell ?? document.body)]?.querySelector('input')
    input?.focus()
    // The next typed text replaces the value, as in a sheet.
    input?.select()
  }
  return (
    <Table.ScrollContainer
      minWidth={(lead.length + columns.length + tail.length) * COLUMN_WIDTH}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Table"
    >
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {[...lead, ...columns, ...tail].map(({ label }) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const key = keyOf(row)
            return (
              <Table.Tr key={key}>
                {lead.map(({ label, cell }) => (
                  <Table.Td key={label} style={{ whiteSpace: 'nowrap' }}>
                    {cell(row)}
                  </Table.Td>
                ))}
                {columns.map((column) => {
                  const typed = edits.typed[key]?.[column.name]
                  const label = `${column.label} of ${labelOf(row)}`
                  if (column.kind === 'flag') {
                    return (
                      <Table.Td key={column.name}>
                        <Checkbox
                          aria-label={label}
                          checked={typed === undefined ? column.value(row) === true : typed === true}
                          onChange={(event) => edits.set([key], column.name, event.currentTarget.checked)}
                          onKeyDown={move}
                        />
                      </Table.Td>
                    )
                  }
                  const current = column.value(row)
                  return (
                    <Table.Td key={column.name}>
                      <TextInput
                        size="xs"
                        miw={column.kind === 'text' ? 170 : 80}
                        aria-label={label}
                        inputMode={column.kind === 'text' ? 'text' : 'decimal'}
                        value={typeof typed === 'string' ? typed : String(current ?? '')}
                        error={mistakes.get(`${key} ${column.name}`)}
                        fw={typed === undefined ? 400 : 700}
                        onChange={(event) => edits.set([key], column.name, event.currentTarget.value)}
                        onKeyDown={move}
                      />
                    </Table.Td>
                  )
                })}
                {tail.map(({ label, cell }) => (
                  <Table.Td key={label}>{cell(row)}</Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
