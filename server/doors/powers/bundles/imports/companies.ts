import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { API } from '../kinds/companies/companion.ts'
import { type BundleKind, without } from '../kinds/kind.ts'
import type { ImportWork } from './work.ts'

/**
 * A company is created together with its admin: the first of its users that is one, or its first user. The other users follow. A company gets
 * its parent when all companies are there.
 */

const APPROVED = '1'
const ADMIN_ROLE = 1

const USERS = { name: 'company-users' }

export async function importCompanies(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const admins = await adminsByCompany(work)
  for await (const row of rows) {
    if (!work.ids.has(kind.name, row.companyId))
      await createCompany(work, kind, { row, admin: admins.get(row.companyId) })
    if (work.ids.has(kind.name, row.companyId)) work.count(kind)
    await work.ids.flush()
  }
  for await (const row of work.bundle.rows('companies/companies')) await setParent(work, kind, row)
}

/** One user of each company. */
async function adminsByCompany(work: ImportWork): Promise<ReadonlyMap<unknown, Row>> {
  const found = new Map<unknown, Row>()
  for await (const user of work.bundle.rows('companies/company-users')) {
    const first = found.get(user.companyId)
    const isBetter = user.companyRoleId === ADMIN_ROLE && first?.companyRoleId !== ADMIN_ROLE
    if (!first || isBetter) found.set(user.companyId, user)
  }
  return found
}

async function createCompany(work: ImportWork, kind: BundleKind, { row, admin }: { row: Row; admin: Row | undefined }) {
  const { companyId } = row
  if (!admin) {
    const title = 'It has no user, and a company is created together with its first user.'
    return work.refuse(kind, companyId, { status: 0, body: { title } })
  }
  const { bcGroupId, companyStatus, ...fields } = work.mapped(kind, without(row, 'companyId', 'parentId'))
  const { companyRoleId, channelIds, uuid, extraFields } = work.mapped({ ...USERS, refs: ADMIN_REFS }, admin)
  const body = {
    ...fields,
    customerGroupId: bcGroupId ?? 0,
    adminFirstName: admin.firstName,
    adminLastName: admin.lastName,
    adminEmail: admin.email,
    adminPhoneNumber: admin.phoneNumber,
    ...(Array.isArray(channelIds) && channelIds.length > 0 ? { channelIds } : {}),
  }
  const answer = await work.sendOrWithout({ method: 'POST', path: `${API}/companies`, body }, kind, companyId)
  if (answer.status >= 400) return work.refuse(kind, companyId, answer)
  const made = dataOf(answer.body)
  if (companyStatus !== APPROVED) {
    const path = `${API}/companies/${made.companyId}/status`
    await work.send({ method: 'PUT', path, body: { companyStatus: Number(companyStatus) } })
  }
  const found = await work.send({ method: 'GET', path: `${API}/users/customer/${made.customerId}` })
  const user = dataOf(found.body)
  const changes = { companyRoleId, uuid, extraFields }
  const path = `${API}/users/${user.id}`
  const changed = await work.sendOrWithout({ method: 'PUT', path, body: changes }, USERS, admin.id)
  if (changed.status >= 400) work.refuse(USERS, admin.id, changed)
  work.ids.set(kind.name, companyId, made.companyId)
  work.ids.set(USERS.name, admin.id, user.id)
}

const ADMIN_REFS = { companyRoleId: 'company-roles', 'channelIds[]': 'channels' }

async function setParent(work: ImportWork, kind: BundleKind, row: Row) {
  const id = work.ids.find(kind.name, row.companyId)
  if (id === undefined || !(Number(row.parentId) > 0) || work.ids.has('company-parents', row.companyId)) return
  const { parentId } = work.mapped(kind, row)
  if (parentId === undefined) return
  const answer = await work.send({
    method: 'POST',
    path: `${API}/companies/${id}/parent`,
    body: { parentCompanyId: parentId },
  })
  if (answer.status >= 400) return work.refuse(kind, row.companyId, answer)
  work.ids.set('company-parents', row.companyId, parentId)
  await work.ids.flush()
}

const dataOf = (body: unknown): Row => (isObject(body) && isObject(body.data) ? body.data : {})
