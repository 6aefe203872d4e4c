import type { Shop } from '../../server/test/fixtures/shop.ts'
import type { Port } from '../../test/port.ts'
import { type ClientOptions, type Store, storeward } from '../src/index.ts'

/** A client of a store of the tests. */
export const clientOf = (port: Port, { store, admin }: Shop, options: Partial<ClientOptions> = {}): Store =>
  storeward({ url: port.origin, storeHash: store.hash, token: admin.access_token, ...options })

/** A PNG of one pixel. */
export const PIXEL = new Blob(
  [
    Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
      (letter) => letter.charCodeAt(0),
    ),
  ],
  { type: 'image/png' },
)

/** A method by its name: `products.images.create`. */
export function methodOf(store: Store, name: string): (...args: unknown[]) => unknown {
  const found = name.split('.').reduce<unknown>((group, part) => Reflect.get(Object(group), part), store)
  if (typeof found !== 'function') throw new Error(`The client has no method ${name}.`)
  return (...args) => Reflect.apply(found, undefined, args)
}
