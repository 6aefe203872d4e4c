import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { Events, Sample, Why } from './events.tsx'
import { Hooks } from './hooks.tsx'
import { Signature } from './signature.tsx'

const TABS = [
  ['hooks', 'Webhooks'],
  ['events', 'Events'],
  ['why', 'Why did an event arrive, or not?'],
  ['sample', 'Publish a sample'],
  ['signature', 'Check a signature'],
] as const

/** The webhooks of all accounts, their deliveries, and events. */
export function WebhooksPage() {
  const { hash = '' } = useParams({ strict: false })
  const { tab = 'hooks' }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Page title="Webhooks and events" about="Callbacks to the receivers of all accounts of the store">
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) =>
          navigate({ to: `/stores/${hash}/webhooks`, search: chosen === null ? {} : { tab: chosen } })
        }
      >
        <Tabs.List>
          {TABS.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="hooks" pt="md">
          <Hooks />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="md">
          <Events />
        </Tabs.Panel>
        <Tabs.Panel value="why" pt="md">
          <Why />
        </Tabs.Panel>
        <Tabs.Panel value="sample" pt="md">
          <Sample />
        </Tabs.Panel>
        <Tabs.Panel value="signature" pt="md">
          <Signature />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
