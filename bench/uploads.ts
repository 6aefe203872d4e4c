/**
 * Clients that upload themes. They have a process of their own, so that their work doesn't delay the measurement, and a
 * low priority, as if they were on other machines. Prints the number of uploads when it is asked to end.
 */
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Shop {
  hash: string
  token: string
}

export interface Uploads {
  port: number
  bundle: string
  shops: Shop[]
  /** The time between two beginnings of a client; 0 is none. */
  everyMs: number
}

/** The fields of answers that are read here. */
interface Body {
  job_id?: string
  data?: { status?: string; errors?: unknown; result?: { theme_id?: string } }
}

/** Sends a request to a shop. @throws Error with the title of an answer other than 2xx */
export async function ask(port: number, path: string, { hash, token }: Shop, init: RequestInit = {}): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}/stores/${hash}/v3${path}`, {
    ...init,
    headers: { 'x-auth-token': token },
  })
  const body: Body = answer.status === 204 ? {} : JSON.parse(await answer.text())
  if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${JSON.stringify(body)}`)
  return body
}

/** Uploads a theme, waits until it exists, and deletes it. @returns milliseconds of the upload and its job */
export async function upload(port: number, shop: Shop, bytes: Blob): Promise<number> {
  const form = new FormData()
  form.append('file', bytes, 'bundle.zip')
  const began = performance.now()
  const { job_id } = await ask(port, '/themes', shop, { method: 'POST', body: form })
  for (;;) {
    const { data } = await ask(port, `/themes/jobs/${job_id}`, shop)
    if (data?.status === 'FAILED') throw new Error(JSON.stringify(data.errors))
    if (data?.status === 'COMPLETED') {
      const took = performance.now() - began
      await ask(port, `/themes/${data.result?.theme_id}`, shop, { method: 'DELETE' })
      return took
    }
    await sleep(25)
  }
}

let isOn = true

async function uploadAll({ port, bundle, shops, everyMs }: Uploads) {
  setPriority(constants.priority.PRIORITY_LOW)
  const bytes = new Blob([new Uint8Array(await readFile(bundle))])
  let count = 0
  await Promise.all(
    shops.map(async (shop) => {
      while (isOn) {
        const took = await upload(port, shop, bytes)
        count++
        if (isOn) await sleep(Math.max(0, everyMs - took))
      }
    }),
  )
  process.send?.({ count })
  process.disconnect()
}

process.on('message', (message: Uploads | 'end') => {
  if (message === 'end') isOn = false
  else void uploadAll(message)
})
