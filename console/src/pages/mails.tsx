import { Anchor, Modal, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { operator } from '../api/operator.ts'
import { Pending } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Time } from '../parts/values.tsx'

interface Mail {
  id: string
  recipient: string
  subject: string
  created_at: string
  sent_at: string | null
}

interface WholeMail extends Mail {
  text: string
  html: string | null
}

/** The last e-mails of a store. Their HTML is shown in a frame without scripts and without an origin. */
export function MailsPage() {
  const { hash = '' } = useParams({ strict: false })
  const { mail }: { mail?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const mails = useQuery({ queryKey: ['mails', hash], queryFn: () => operator<Mail[]>('GET', `/stores/${hash}/mails`) })
  const whole = useQuery({
    queryKey: ['mail', hash, mail],
    enabled: mail !== undefined,
    queryFn: () => operator<WholeMail>('GET', `/stores/${hash}/mails/${encodeURIComponent(mail ?? '')}`),
  })
  const open = (id: string | undefined) =>
    navigate({ to: `/stores/${hash}/mails`, search: id === undefined ? {} : { mail: id } })
  if (!mails.data) return <Pending error={mails.error} />
  return (
    <Page title="E-mails" about="The last 100 e-mails of the store">
      <Rows
        head={['To', 'Subject', 'Created', 'Sent']}
        empty="The store has sent no e-mail yet."
        rows={mails.data.map(({ id, recipient, subject, created_at, sent_at }) => ({
          key: id,
          cells: [
            recipient,
            <Anchor component="button" type="button" key="subject" onClick={() => open(id)}>
              {subject}
            </Anchor>,
            <Time key="created" at={created_at} />,
            sent_at === null ? 'not yet' : <Time key="sent" at={sent_at} />,
          ],
        }))}
      />
      <Modal
        opened={mail !== undefined}
        onClose={() => open(undefined)}
        title={whole.data?.subject ?? 'E-mail'}
        size="xl"
      >
        {whole.data ? <Contents mail={whole.data} /> : <Pending error={whole.error} />}
      </Modal>
    </Page>
  )
}

const Contents = ({ mail }: { mail: WholeMail }) => (
  <Tabs defaultValue={mail.html === null ? 'text' : 'html'}>
    <Tabs.List>
      {mail.html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
      <Tabs.Tab value="text">Text</Tabs.Tab>
    </Tabs.List>
    {mail.html !== null && (
      <Tabs.Panel value="html" pt="sm">
        <iframe
          title={mail.subject}
          sandbox=""
          srcDoc={mail.html}
          style={{ width: '100%', height: '60vh', border: 0, background: 'white' }}
        />
      </Tabs.Panel>
    )}
    <Tabs.Panel value="text" pt="sm">
      <Text component="pre" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {mail.text}
      </Text>
    </Tabs.Panel>
  </Tabs>
)
