import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A column with less room than this would break its words. */
const COLUMN_WIDTH = 100

/** Rows below their headings. It scrolls sideways by itself, never the page. */
export function Rows({
  head,
  rows,
  empty,
}: {
  head: readonly ReactNode[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
  empty: ReactNode
}) {
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>
  return (
    <Table.ScrollContainer
      minWidth={head.length * COLUMN_WIDTH}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Table"
    >
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {head.map((cell, i) => (
              <Table.Th key={i}>{cell}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, i) => (
                <Table.Td key={i}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
