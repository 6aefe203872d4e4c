import { Anchor, Modal, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { operator } from '../api/operator.ts'
import { Pending } from '../parts/feedback.tsx'
import { MailFrame } from '../parts/mail-frame.tsx'
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

/** The last e-mails of a store. */
export function MailsPage() {
  const { hash = '' } = useParams({ strict: false })
  const { mail }: { mail?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Page
      title="Mailbox"
      about="The last 100 e-mails of the store. Without a mail server none leaves, and all stay here."
      actions={
        <Anchor component={Link} to={`/stores/${hash}/templates`}>
          Templates
        </Anchor>
      }
    >
      <MailTable
        hash={hash}
        chosen={mail}
        open={(id) => navigate({ to: `/stores/${hash}/mails`, search: id === undefined ? {} : { mail: id } })}
        empty="The store has sent no e-mail yet. Send the first one from the page of templates."
      />
    </Page>
  )
}

/** The e-mails to one address, among the last 100. */
export function MailList({ hash, recipient }: { hash: string; recipient: string }) {
  const [mail, open] = useState<string>()
  return (
    <MailTable
      hash={hash}
      recipient={recipient}
      chosen={mail}
      open={open}
      empty={`None of the last 100 e-mails went to ${recipient || 'the shopper'}.`}
    />
  )
}

/** E-mails, and the chosen one. Its HTML is shown in a frame without scripts and without an origin. */
function MailTable({
  hash,
  recipient,
  chosen,
  open,
  empty,
}: {
  hash: string
  recipient?: string
  chosen: string | undefined
  open(id: string | undefined): void
  empty: string
}) {
  const mails = useQuery({ queryKey: ['mails', hash], queryFn: () => operator<Mail[]>('GET', `/stores/${hash}/mails`) })
  const whole = useQuery({
    queryKey: ['mail', hash, chosen],
    enabled: chosen !== undefined,
    queryFn: () => operator<WholeMail>('GET', `/stores/${hash}/mails/${encodeURIComponent(chosen ?? '')}`),
  })
  if (!mails.data) return <Pending error={mails.error} />
  const matching = mails.data.filter((one) => recipient === undefined || isSameAddress(one.recipient, recipient))
  return (
    <>
      <Rows
        head={['To', 'Subject', 'Created', 'Sent']}
        empty={empty}
        rows={matching.map(({ id, recipient: to, subject, created_at, sent_at }) => ({
          key: id,
          cells: [
            to,
            <Anchor component="button" type="button" ta="left" key="subject" onClick={() => open(id)}>
              {subject}
            </Anchor>,
            <Time key="created" at={created_at} />,
            sent_at === null ? 'not yet' : <Time key="sent" at={sent_at} />,
          ],
        }))}
      />
      <Modal
        opened={chosen !== undefined}
        onClose={() => open(undefined)}
        title={whole.data?.subject ?? 'E-mail'}
        size="xl"
      >
        {whole.data ? <Contents mail={whole.data} /> : <Pending error={whole.error} />}
      </Modal>
    </>
  )
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const Contents = ({ mail }: { mail: WholeMail }) => (
  <Tabs defaultValue={mail.html === null ? 'text' : 'html'}>
    <Tabs.List>
      {mail.html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
      <Tabs.Tab value="text">Text</Tabs.Tab>
    </Tabs.List>
    {mail.html !== null && (
      <Tabs.Panel value="html" pt="sm">
        <MailFrame title={mail.subject} html={mail.html} style={{ width: '100%', height: '60vh', border: 0 }} />
      </Tabs.Panel>
    )}
    <Tabs.Panel value="text" pt="sm">
      <Text component="pre" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {mail.text}
      </Text>
    </Tabs.Panel>
  </Tabs>
)
