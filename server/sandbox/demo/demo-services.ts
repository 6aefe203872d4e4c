import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Installation } from '../../process/installation.ts'
import { UNCHECKED } from '../../sales/shipping/carriers/check.ts'
import { storeConnection } from '../../sales/shipping/carriers/connections.ts'
import { setCarrier } from '../../sales/shipping/carriers/registration.ts'
import { lockTaxProvider, storeLogin } from '../../sales/tax/providers/connections.ts'
import { findTaxProvider } from '../../sales/tax/providers/providers.ts'
import { setTaxProvider } from '../../sales/tax/providers/registration.ts'
import { STORE_HASH } from './record.ts'

const TEST_CARRIER = 'testcarrier'
const TEST_TAX = 'testtax'

/** The addresses of the sandbox's own services in this run. */
interface TestAddresses {
  carrier: string
  tax: string
}

interface ServiceParts {
  secrets: Pick<Secrets, 'seal'>
  /** Origins that need neither https nor port 443. */
  origins: readonly string[]
}

/** Registers the carrier and the tax provider of the sandbox for the demo store, and connects them. */
export async function openTestServices(
  { directory, secrets }: Installation,
  addresses: TestAddresses,
  origins: readonly string[],
) {
  const store = await directory.find(STORE_HASH)
  const db = store && (await directory.dbById(store.id))
  if (!db) return
  await openTestCarrier(db, addresses.carrier, { secrets, origins })
  await openTestTax(db, addresses.tax, { secrets, origins })
}

/** Methods of a zone offer `testcarrier` as soon as a client adds one. */
async function openTestCarrier(db: Db, url: string, parts: ServiceParts) {
  const addresses = { rateUrl: `${url}/rate`, checkUrl: `${url}/check` }
  await setCarrier(db, { id: TEST_CARRIER, name: 'Test carrier', ...addresses }, parts)
  const connection = { carrier_id: TEST_CARRIER, account: {}, check: UNCHECKED }
  await db.transaction((tx) => storeConnection(tx, connection, parts.secrets))
}

/**
 * `testtax` calculates nothing before the operator activates it: until then the demo store shows rates of its own. Later starts keep
 * the settings of the operator and the login of the client, and change only the address.
 */
export async function openTestTax(db: Db, url: string, parts: ServiceParts) {
  const isNew = (await findTaxProvider(db, TEST_TAX)) === undefined
  const wish = { id: TEST_TAX, url: `${url}/{profile}` }
  await setTaxProvider(db, isNew ? { ...wish, submitsOrders: true } : wish, parts)
  await db.transaction(async (tx) => {
    const provider = await lockTaxProvider(tx, TEST_TAX)
    if (provider.username !== null) return
    const password = parts.secrets.seal('demo')
    await storeLogin(tx, { ...provider, username: 'demo', password, profile: 'normal' })
  })
}
