import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { onConfirmation, operator, Refusal } from '../api/operator.ts'
import { hasPasskeys, signChallenge } from '../api/passkeys.ts'

interface Waiting {
  resolve(): void
  reject(error: Error): void
}

/** Asks for the password or a passkey when an action needs the identity confirmed, and lets the action go on. */
export function Confirmation() {
  const waiting = useRef<Waiting>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  useEffect(
    () =>
      onConfirmation(
        () =>
          new Promise<void>((resolve, reject) => {
            waiting.current = { resolve, reject }
            setOpen(true)
          }),
      ),
    [],
  )
  const end = (finish: (waiting: Waiting) => void) => {
    setOpen(false)
    setPassword('')
    confirm.reset()
    confirmByPasskey.reset()
    if (waiting.current) finish(waiting.current)
    waiting.current = undefined
  }
  const confirm = useMutation({
    mutationFn: () => operator('POST', '/session/confirmation', { password }),
    onSuccess: () => end(({ resolve }) => resolve()),
  })
  const confirmByPasskey = useMutation({
    mutationFn: async () => operator('POST', '/session/passkey-confirmation', await signChallenge()),
    onSuccess: () => end(({ resolve }) => resolve()),
  })
  const error = confirm.error ?? confirmByPasskey.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => end(({ reject }) => reject(new Refusal(403, 'The action was not confirmed.')))}
      title="Confirm your identity"
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">This action needs your password or a passkey if you gave one more than ten minutes ago.</Text>
          {error && (
            <Alert color="red" role="alert">
              {error.message}
            </Alert>
          )}
          <PasswordInput
            label="Password"
            data-autofocus
            required
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
          {hasPasskeys() && (
            <Button
              variant="default"
              loading={confirmByPasskey.isPending}
              onClick={() => {
                confirm.reset()
                confirmByPasskey.mutate()
              }}
            >
              Confirm with a passkey
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  )
}
