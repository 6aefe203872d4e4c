import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'

const KEYS = [
  ['Ctrl K or /', 'Find a page, a store, a record or a command'],
  ['?', 'Show these keys'],
  ['Tab', 'Go to the next field, button or link; with Shift to the former one'],
  ['Enter', 'Press a button; in a grid, go to the row below'],
  ['Up, Down', 'In a grid, go to the row above or below'],
  ['Esc', 'Close a dialog or a menu'],
] as const

/** The keys of the console, after a question mark. */
export function Keys() {
  const [isOpen, { open, close }] = useDisclosure()
  useHotkeys([['shift+?', open]])
  return (
    <Modal opened={isOpen} onClose={close} title="Keys">
      <Table>
        <Table.Tbody>
          {KEYS.map(([key, text]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
