import { Alert, Anchor, Code, Group, Loader, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Refusal } from '../api/operator.ts'

/** A failure with its fields and the id of the request, which opens its line in the log of the store, or in the audit. */
export function Failure({ error }: { error: unknown }) {
  if (!(error instanceof Error)) return null
  const { errors, requestId, store } = error instanceof Refusal ? error : new Refusal(0, error.message)
  return (
    <Alert color="red" role="alert" title={error.message} my="sm">
      {Object.entries(errors).map(([field, sentence]) => (
        <Text size="sm" key={field}>
          <Code>{field}</Code> {sentence}
        </Text>
      ))}
      {requestId !== '' && (
        <Text size="xs" mt="xs">
          Request{' '}
          <Anchor
            fz="xs"
            renderRoot={(props) =>
              store === undefined ? (
                <Link {...props} to="/audit" search={{ request_id: requestId }} />
              ) : (
                <Link {...props} to={`/stores/${store}/requests/${requestId}`} />
              )
            }
          >
            {requestId}
          </Anchor>
        </Text>
      )}
    </Alert>
  )
}

/** The content of a page while its data is loading, or after the request failed. */
export function Pending({ error, children }: { error?: unknown; children?: ReactNode }) {
  if (error) return <Failure error={error} />
  return (
    <Group gap="sm" py="md">
      <Loader size="sm" />
      <Text size="sm">{children ?? 'Loading'}</Text>
    </Group>
  )
}

/**
 * An action of a button. It reads the named data again before it reports its success, so that a dialog which opens next has the new data.
 * A failure is shown.
 */
export function useAction<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  { done, refresh, onDone }: { done?: string; refresh: readonly unknown[][]; onDone?(output: Output): void },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: async (output) => {
      await Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })))
      if (done !== undefined) notifications.show({ message: done, color: 'green' })
      onDone?.(output)
    },
    onError: (error) => {
      notifications.show({ title: 'Refused', message: error.message, color: 'red', autoClose: 10_000 })
    },
  })
}
