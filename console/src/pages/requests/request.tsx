import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { operator } from '../../api/operator.ts'
import { asCurl } from '../../api/store.ts'
import { useApiIndex } from '../../frame/session.ts'
import { Pending, useAction } from '../../parts/feedback.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/table.tsx'
import { Copied, Time } from '../../parts/values.tsx'
import { Effects } from './effects.tsx'
import { methodOf, type RequestLine, useSender } from './rows.tsx'

interface WholeRequest extends RequestLine {
  request_body: string | null
  answer_body: string | null
}

const isChange = (operation: string) => !['GET', 'HEAD', 'OPTIONS'].includes(methodOf(operation))

/** One request with all that the log has of it, and its effects. */
export function RequestPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const request = useQuery({
    queryKey: ['request', hash, id],
    queryFn: () => operator<WholeRequest>('GET', `/stores/${hash}/requests/${id}`),
  })
  const senderOf = useSender(hash)
  const { data: index } = useApiIndex()
  if (!request.data) return <Pending error={request.error} />
  const {
    operation,
    path,
    status,
    at,
    ms,
    statements,
    statement_ms,
    client_id,
    person,
    correlation_id,
    address,
    agent,
  } = request.data
  const needed = index?.operations.find((one) => `${one.method} ${one.path}` === operation)?.scopes ?? []
  const facts: (readonly [string, React.ReactNode])[] = [
    ['Request id', <Copied key="id" text={id} />],
    ['Status', status],
    ...(status === 403 && needed.length > 0 ? [['One of these scopes is needed', needed.join(', ')] as const] : []),
    ['When', <Time key="at" at={at} />],
    ['Operation', <Code key="operation">{operation}</Code>],
    ['Sent by', senderOf({ person, client_id })],
    ['Client id', client_id ?? '–'],
    ['Time', `${ms} ms, of which the database took ${statement_ms} ms for ${statements} statements`],
    ['Address', address],
    ['Agent', agent ?? '–'],
  ]
  return (
    <Page title={`${methodOf(operation)} ${path}`}>
      <Rows
        head={['Fact', 'Value']}
        empty=""
        rows={facts.map(([name, value]) => ({ key: name, cells: [name, value] }))}
      />
      {correlation_id !== null && (
        <Group>
          <Button
            variant="default"
            onClick={() => navigate({ to: `/stores/${hash}/requests`, search: { correlation_id } })}
          >
            Requests with the same correlation id
          </Button>
        </Group>
      )}
      <Copied text={asCurl(methodOf(operation), hash, path, bodyOf(request.data.request_body))} label="Copy as curl" />
      <Replay hash={hash} id={id} />
      {isChange(operation) && <Effects hash={hash} correlationId={correlation_id ?? id} />}
      <Body title="Body of the request" text={request.data.request_body} bytes={request.data.request_bytes} />
      <Body title="Body of the answer" text={request.data.answer_body} bytes={request.data.answer_bytes} />
    </Page>
  )
}

interface Replayed {
  request_id: string
  status: number
  former_status: number
  answer_body: string
  differences: { at: string; left?: unknown; right?: unknown }[] | null
}

/** Sends the request again, and shows where the answers differ. */
function Replay({ hash, id }: { hash: string; id: string }) {
  const replay = useAction(() => operator<Replayed>('POST', `/stores/${hash}/requests/${id}/replay`), {
    refresh: [['requests', hash]],
  })
  const { data } = replay
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
          Send it again
        </Button>
      </Group>
      {data && (
        <>
          <Text size="sm" role="status">
            Answered with {data.status}, formerly with {data.former_status}.{' '}
            <Anchor component={Link} to={`/stores/${hash}/requests/${data.request_id}`}>
              The new request
            </Anchor>
          </Text>
          {data.differences === null ? (
            <Text size="sm">The log does not have the whole former answer, so the bodies are not compared.</Text>
          ) : (
            <Rows
              head={['Place', 'Formerly', 'Now']}
              empty="The answers do not differ, except for ids and times."
              rows={data.differences.map(({ at, left, right }) => ({
                key: at,
                cells: [
                  at,
                  <Code key="left">{JSON.stringify(left)}</Code>,
                  <Code key="right">{JSON.stringify(right)}</Code>,
                ],
              }))}
            />
          )}
        </>
      )}
    </Stack>
  )
}

function Body({ title, text, bytes }: { title: string; text: string | null; bytes: number | null }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {text === null ? (
        <Text size="sm" c="dimmed">
          It is not stored: it was empty, has secrets, or the log stores lines only.
        </Text>
      ) : (
        <>
          <Code block tabIndex={0} role="region" aria-label={title}>
            {pretty(text)}
          </Code>
          {bytes !== null && bytes > new TextEncoder().encode(text).length && (
            <Text size="sm">The beginning of {bytes.toLocaleString()} bytes.</Text>
          )}
        </>
      )}
    </Stack>
  )
}

/** Undefined for a body that is missing, cut or no JSON. */
function bodyOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function pretty(text: string): string {
  const value = bodyOf(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
