import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copied } from './values.tsx'

/** The secrets of a new account, which no later answer has. */
export interface AccountSecrets {
  access_token: string
  client_id: string
  client_secret: string
}

/** Shows the secrets of a new account once. */
export function NewSecrets({
  account,
  children,
  action,
}: {
  account: AccountSecrets
  children?: ReactNode
  action: ReactNode
}) {
  return (
    <Stack>
      <Text size="sm">{children} The token and the secret are shown only here, and only now.</Text>
      <Copied text={account.access_token} label={`access token ${account.access_token}`} />
      <Copied text={account.client_id} label={`client id ${account.client_id}`} />
      <Copied text={account.client_secret} label={`client secret ${account.client_secret}`} />
      {action}
    </Stack>
  )
}
