import { Alert, Anchor, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator, type Person } from '../api/operator.ts'

/** The page of an invitation. Its secret is behind `#`, so that no server and no log sees it in an address. */
export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  const invited = useQuery({
    queryKey: ['invitation', token],
    retry: false,
    queryFn: () => operator<{ email: string; name: string; role: string }>('POST', '/invitation', { token }),
  })
  const [name, setName] = useState<string>()
  const [password, setPassword] = useState('')
  const client = useQueryClient()
  const accept = useMutation({
    mutationFn: () =>
      operator<{ person: Person }>('PUT', '/invitation', { token, name: name ?? invited.data?.name, password }),
    onSuccess: ({ person }) => {
      client.setQueryData(['session'], person)
      // The secret leaves the history of the browser.
      location.replace('/console/')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate()
  }
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={420} maw="100%">
        <Title order={1} size="h3" mb="md">
          Welcome to the console
        </Title>
        {invited.error && (
          <Alert color="red" role="alert">
            {invited.error.message} <Anchor href="/console/">Sign in</Anchor> if you have a password, or ask for another
            invitation.
          </Alert>
        )}
        {invited.data && (
          <form onSubmit={submit}>
            <Stack>
              <Text>
                You are invited as {invited.data.email}, with the role {invited.data.role}. Choose a password.
              </Text>
              {accept.error && (
                <Alert color="red" role="alert">
                  {accept.error.message}
                </Alert>
              )}
              <TextInput
                label="Your name"
                autoComplete="name"
                required
                maxLength={100}
                value={name ?? invited.data.name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <PasswordInput
                label="Password"
                description="At least 7 characters, with a letter and a digit"
                autoComplete="new-password"
                required
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <Button type="submit" loading={accept.isPending}>
                Accept the invitation
              </Button>
            </Stack>
          </form>
        )}
      </Paper>
    </Center>
  )
}
