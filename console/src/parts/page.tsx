import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

/** A page with its title, its actions, and a sentence about it. */
export function Page({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} (storeward console)`
  }, [title])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0, maxWidth: '100%' }}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {about !== undefined && (
            <Text component="div" size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  )
}

/** A part of a page with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs">
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
)
