/**
 * Clients that upload attachments of companies at once. They have a process of their own, so that their work doesn't delay the measurement,
 * and a low priority, as if they were on other machines. Each message asks for one round of uploads and is answered at its end.
 */
import { constants, setPriority } from 'node:os'

export interface AttachmentRound {
  port: number
  hash: string
  token: string
  companyId: number
  /** Uploads at once. */
  uploads: number
  /** Bytes of each file. */
  size: number
}

setPriority(constants.priority.PRIORITY_LOW)

async function uploadAll({ port, hash, token, companyId, uploads, size }: AttachmentRound) {
  const png = new Uint8Array(size)
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const upload = async () => {
    const form = new FormData()
    form.append('attachmentFile', new Blob([png], { type: 'image/png' }), 'picture.png')
    const answer = await fetch(`http://127.0.0.1:${port}/b2b/api/v3/io/companies/${companyId}/attachments`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'x-store-hash': hash },
      body: form,
    })
    if (!answer.ok) throw new Error(`An upload is answered with ${answer.status}: ${await answer.text()}`)
  }
  await Promise.all(Array.from({ length: uploads }, upload))
}

process.on('message', (round: AttachmentRound) => {
  uploadAll(round).then(
    () => process.send?.({ done: true }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
