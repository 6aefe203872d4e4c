import { Anchor, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Account, operator } from '../../api/operator.ts'
import { queryText } from '../../api/store.ts'
import { DEVELOPERS, hasRole } from '../../frame/roles.ts'
import { useSession } from '../../frame/session.ts'
import { Pending } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

export interface RequestLine {
  request_id: string
  correlation_id: string | null
  at: string
  client_id: string | null
  person: string | null
  operation: string
  path: string
  status: number
  ms: number
  statements: number
  statement_ms: number
  address: string
  agent: string | null
  request_bytes: number | null
  answer_bytes: number | null
}

/** Lines that one request of the log answers. */
export const LIMIT = 50

export const methodOf = (operation: string) => operation.split(' ', 1)[0] ?? ''

/** Names the sender of a request: a person, an account by its name, or by its id for those who may not see accounts. */
export function useSender(hash: string) {
  const { person } = useSession()
  const { data } = useQuery({
    queryKey: ['accounts', hash],
    enabled: hasRole(person, DEVELOPERS),
    queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`),
  })
  return ({ person, client_id }: Pick<RequestLine, 'person' | 'client_id'>) =>
    person ?? data?.find((account) => account.client_id === client_id)?.name ?? client_id ?? 'a stranger'
}

export function RequestRows({ hash, lines }: { hash: string; lines: readonly RequestLine[] }) {
  const senderOf = useSender(hash)
  return (
    <Rows
      head={['When', 'Status', 'Request', 'Sent by', 'ms', 'Statements']}
      empty="The log has no such request. A request that a client sends is here a second after its answer."
      rows={lines.map((line) => ({
        key: line.request_id,
        cells: [
          <Anchor
            component={Link}
            key="at"
            to={`/stores/${hash}/requests/${line.request_id}`}
            aria-label={`Request ${line.request_id}`}
          >
            <Time at={line.at} />
          </Anchor>,
          <Status key="status" status={line.status} />,
          <Code
            key="path"
            display="inline-block"
            miw={220}
            style={{ overflowWrap: 'anywhere' }}
          >{`${methodOf(line.operation)} ${line.path}`}</Code>,
          senderOf(line),
          line.ms,
          `${line.statements} (${line.statement_ms} ms)`,
        ],
      }))}
    />
  )
}

/** The newest requests that match a query of the log. */
export function RequestList({ hash, query }: { hash: string; query: Readonly<Record<string, string>> }) {
  const requests = useQuery({
    queryKey: ['requests', hash, query],
    queryFn: () => operator<RequestLine[]>('GET', `/stores/${hash}/requests${queryText({ ...query, limit: LIMIT })}`),
  })
  if (!requests.data) return <Pending error={requests.error} />
  return <RequestRows hash={hash} lines={requests.data} />
}

/** Its number carries the meaning, not its colour. */
const Status = ({ status }: { status: number }) => (
  <Text span fw={status >= 400 ? 700 : 400}>
    {status}
  </Text>
)
