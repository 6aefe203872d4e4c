import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

/** Signs the parts of a callback in the browser and names the part that is wrong. Nothing leaves the page. */
export function Signature() {
  const [form, set] = useState({ id: '', timestamp: '', signature: '', secret: '', body: '' })
  const [verdict, setVerdict] = useState<string>()
  const change = (name: keyof typeof form) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    set((all) => ({ ...all, [name]: value }))
  }
  const check = async (event: FormEvent) => {
    event.preventDefault()
    setVerdict(await checkSignature(form))
  }
  return (
    <form onSubmit={check}>
      <Stack maw={720}>
        <Text size="sm">
          Paste the headers and the body of a callback as they arrived, and the client secret of the account. See{' '}
          <Anchor href="/docs/guides/webhooks">the guide</Anchor>.
        </Text>
        <TextInput label="webhook-id" required value={form.id} onChange={change('id')} />
        <TextInput label="webhook-timestamp" required value={form.timestamp} onChange={change('timestamp')} />
        <TextInput label="webhook-signature" required value={form.signature} onChange={change('signature')} />
        <TextInput label="Client secret" required value={form.secret} onChange={change('secret')} />
        <TextInput label="Body" required value={form.body} onChange={change('body')} />
        <Button type="submit">Check</Button>
        {verdict !== undefined && (
          <Alert role="status" title={verdict} color={verdict.startsWith('The signature is right') ? 'green' : 'red'} />
        )}
      </Stack>
    </form>
  )
}

const FIVE_MINUTES_S = 300

type Callback = Record<'id' | 'timestamp' | 'signature' | 'secret' | 'body', string>

/** Names the part of a callback that is wrong. */
async function checkSignature(callback: Callback): Promise<string> {
  const { timestamp, signature, secret, body } = callback
  if (!signature.includes('v1,')) return 'The signature has no part that begins with "v1,".'
  if (!/^\d+$/.test(timestamp)) return 'The timestamp is not a number of seconds.'
  if (await isSigned(callback)) {
    const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
    return age > FIVE_MINUTES_S
      ? 'The signature is right, but the timestamp is older than five minutes: receivers refuse it as a repetition.'
      : 'The signature is right.'
  }
  if (await isSigned({ ...callback, secret: secret.trim() })) return 'The secret has blanks around it.'
  if (await isSigned({ ...callback, body: body.trim() }))
    return 'The body has blanks around it: sign the bytes as they arrived.'
  const printed = printedAgain(body)
  if (printed === undefined) return 'The body is not JSON: it was changed on its way.'
  if (await isSigned({ ...callback, body: printed })) {
    return 'The body was parsed and printed again: sign the bytes as they arrived.'
  }
  return 'The secret, the id, the timestamp or the body is another one.'
}

/** The body as a program prints it after parsing it; undefined if it is not JSON. */
function printedAgain(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}

async function isSigned({ id, timestamp, signature, secret, body }: Callback): Promise<boolean> {
  if (secret === '') return false
  const encode = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = await crypto.subtle.sign('HMAC', key, encode(`${id}.${timestamp}.${body}`))
  return signature.split(' ').includes(`v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`)
}
