import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator, type Person } from '../api/operator.ts'
import { hasPasskeys, signChallenge } from '../api/passkeys.ts'

/** Asks for e-mail address and password, or for a passkey. */
export function SignIn({ onPerson }: { onPerson(person: Person): void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => operator<{ person: Person }>('POST', '/session', { email, password }),
    onSuccess: ({ person }) => onPerson(person),
  })
  const signInByPasskey = useMutation({
    mutationFn: async () => operator<{ person: Person }>('POST', '/session/passkey', await signChallenge()),
    onSuccess: ({ person }) => onPerson(person),
  })
  const error = signIn.error ?? signInByPasskey.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signInByPasskey.reset()
    signIn.mutate()
  }
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={380} maw="100%">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              storeward console
            </Title>
            {error && (
              <Alert color="red" role="alert">
                {error.message}
              </Alert>
            )}
            <TextInput
              label="E-mail address"
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
            {hasPasskeys() && (
              <Button
                variant="default"
                loading={signInByPasskey.isPending}
                onClick={() => {
                  signIn.reset()
                  signInByPasskey.mutate()
                }}
              >
                Sign in with a passkey
              </Button>
            )}
            <Text size="sm" c="dimmed">
              People are invited by an owner, or by the command <code>storeward person invite</code>.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
