import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, objectIn, rowsIn } from '../kinds/kind.ts'
import { type ImportWork, isFileOfBundle } from './work.ts'

/**
 * A theme is uploaded again, and a job of the server makes it. Each of its variations has its original configuration then: the first one of
 * the variation in the bundle. The theme that comes with the server is there already.
 */

/** A job may wait for an hour (docs/contract/themes.md section 4). */
const JOB_POLLS = 3_600
const POLL_MS = 1_000

const VARIATIONS = 'theme-variations'

export async function importThemes(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  for await (const row of rows) {
    if (!work.ids.has(kind.name, row.uuid)) await importTheme(work, kind, row)
    if (work.ids.has(kind.name, row.uuid)) work.count(kind)
    await work.ids.flush()
  }
}

async function importTheme(work: ImportWork, kind: BundleKind, row: Row) {
  const uuid = row.is_private ? await uploadTheme(work, kind, row) : row.uuid
  if (uuid === undefined) return
  const { status, body } = await work.send({ method: 'GET', path: `/v3/themes/${uuid}` })
  if (status !== 200) return work.refuse(kind, row.uuid, { status, body })
  const made = rowsIn(objectIn(objectIn(body).data).variations)
  for (const { uuid: former, external_id } of rowsIn(row.variations)) {
    const variation = made.find((one) => one.external_id === external_id)
    if (variation) work.ids.set(VARIATIONS, former, variation.uuid)
  }
  work.ids.set(kind.name, row.uuid, uuid)
}

/** @returns the id of the new theme; undefined if it was refused */
async function uploadTheme(work: ImportWork, kind: BundleKind, { uuid, archive }: Row): Promise<unknown> {
  if (!isFileOfBundle(archive)) {
    work.refuse(kind, uuid, { status: 0, body: { title: 'The bundle does not have its archive.' } })
    return undefined
  }
  const answer = await work.upload(kind, uuid, { path: '/v3/themes', field: 'file', name: archive })
  const path = `/v3/themes/jobs/${objectIn(answer?.body).job_id}`
  for (let poll = 0; answer && poll < JOB_POLLS; poll++) {
    const job = await work.send({ method: 'GET', path })
    const { status, result, errors } = objectIn(objectIn(job.body).data)
    if (status === 'COMPLETED') return objectIn(result).theme_id
    if (status === 'FAILED' || job.status !== 200) {
      const [error] = rowsIn(errors)
      work.refuse(kind, uuid, { status: job.status, body: error ?? job.body })
      return undefined
    }
    await sleep(POLL_MS)
  }
  if (answer) work.refuse(kind, uuid, { status: 0, body: { title: 'No server has made the theme within an hour.' } })
  return undefined
}

/** Saves configurations, except for the original ones. */
export async function importConfigurations(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const begun = new Set<unknown>()
  for await (const row of rows) {
    const isOriginal = begun.size < begun.add(row.variation_uuid).size
    if (!work.ids.has(kind.name, row.uuid)) await importConfiguration(work, kind, { row, isOriginal })
    if (work.ids.has(kind.name, row.uuid)) work.count(kind)
    await work.ids.flush()
  }
}

async function importConfiguration(
  work: ImportWork,
  kind: BundleKind,
  { row, isOriginal }: { row: Row; isOriginal: boolean },
) {
  const { theme_uuid, variation_uuid, settings } = work.mapped(kind, row)
  if (theme_uuid === undefined || variation_uuid === undefined) {
    const title = 'Its theme, or its variation, is not in the store.'
    return work.refuse(kind, row.uuid, { status: 0, body: { title } })
  }
  const path = `/v3/themes/${theme_uuid}/configurations`
  const answer = isOriginal
    ? await work.send({ method: 'GET', path: `${path}?variation_uuid=${variation_uuid}&limit=1` })
    : await work.send(
        { method: 'POST', path, body: { variation_id: variation_uuid, settings } },
        `configuration ${row.uuid}`,
      )
  if (answer.status >= 400) return work.refuse(kind, row.uuid, answer)
  const data = isObject(answer.body) ? answer.body.data : undefined
  const [stored] = rowsIn(Array.isArray(data) ? data : [data])
  if (stored) work.ids.set(kind.name, row.uuid, stored.uuid)
}

/** Lets channels show the themes that they have shown. */
export async function importActiveThemes(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const variations = await variationsOfConfigurations(work)
  for await (const row of rows) {
    const channel_id = work.ids.find('channels', row.$under)
    const { active_theme_configuration_uuid: configuration_id } = work.mapped(kind, row)
    const variation_id = work.ids.find(VARIATIONS, variations.get(row.active_theme_configuration_uuid))
    if (channel_id === undefined || configuration_id === undefined || variation_id === undefined) continue
    if (!work.ids.has(kind.name, row.$under)) {
      const body = { channel_id, variation_id, configuration_id }
      const answer = await work.send({ method: 'POST', path: '/v3/themes/actions/activate', body })
      if (answer.status >= 400) {
        work.refuse(kind, row.$under, answer)
        continue
      }
      work.ids.set(kind.name, row.$under, channel_id)
    }
    work.count(kind)
  }
}

/** The variations of configurations, of which a theme has at most 100. */
async function variationsOfConfigurations(work: ImportWork): Promise<ReadonlyMap<unknown, unknown>> {
  const found = new Map<unknown, unknown>()
  for await (const { uuid, variation_uuid } of work.bundle.rows('themes/theme-configurations'))
    found.set(uuid, variation_uuid)
  return found
}
