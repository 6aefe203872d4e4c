import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { uploadedArchive } from '../../../shop/themes/transfer/theme-files.ts'
import type { Callers } from '../../../stores/accounts/callers.ts'
import { presets } from '../../../stores/accounts/scopes.ts'
import { plans } from '../../../stores/directory/plans.ts'
import { PICTURE_MAX } from './bundle.ts'

export interface StoreRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the store: `/v3/catalog/brands`. Paths of the companion API begin with `/b2b/`. */
  readonly path: string
  readonly body?: unknown
  /** Its `Idempotency-Key`. */
  readonly key?: string | undefined
  /** A form with a file in place of a JSON body. */
  readonly form?: FormData | undefined
}

export interface StoreAnswer {
  readonly status: number
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
}

/** The API of one store, here or at another server. */
export interface StoreApi {
  /** Whether nothing changes the store while it is read. */
  readonly isStill: boolean
  send(request: StoreRequest): Promise<StoreAnswer>
  /** The bytes of a picture at an address of an answer; undefined for an address elsewhere, which stays as it is. */
  picture(address: string): Promise<Uint8Array | 'lost' | undefined>
  /** The archive of a theme, as it was uploaded. */
  themeArchive(uuid: string): Promise<Uint8Array | 'lost'>
  end(): void
}

/** A form as bytes with their media type. */
export async function encodedForm(form: FormData): Promise<{ bytes: Buffer; type: string }> {
  const encoded = new Response(form)
  return { bytes: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' }
}

interface LocalParts {
  files: Pick<Files, 'read'>
  server: Pick<FastifyInstance, 'inject'>
  callers: Pick<Callers, 'admit'>
  publicUrl: string
}

interface LocalStore {
  /** The database of the store, which may be a copy that no client can reach. */
  db: Db
  isStill?: boolean
}

/**
 * The API of a store in this process: requests pass the same gate, checks and handlers as those of clients, with all scopes and without
 * a quota. The caller has the client id of no account.
 */
export function localApi(
  { server, callers, files, publicUrl }: LocalParts,
  { db, isStill = false }: LocalStore,
): StoreApi {
  const caller = {
    kind: 'caller' as const,
    client: { id: 'bundles', scopes: new Set(presets.all) },
    db,
    state: 'active' as const,
    plan: plans.unlimited,
    faults: undefined,
  }
  const { token, end } = callers.admit(caller)
  return {
    isStill,
    async send({ method, path, body, key, form }) {
      const encoded = form && (await encodedForm(form))
      const answer = await server.inject({
        method,
        url: path.startsWith('/b2b/') ? path : `/stores/${db.store.hash}${path}`,
        headers: {
          'x-auth-token': token,
          'x-store-hash': db.store.hash,
          accept: 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(encoded
            ? { 'content-type': encoded.type }
            : body === undefined
              ? {}
              : { 'content-type': 'application/json' }),
        },
        ...(encoded ? { payload: encoded.bytes } : body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return { status: answer.statusCode, body: answer.body === '' ? undefined : JSON.parse(answer.body) }
    },
    async picture(address) {
      const files = `${publicUrl}/files/`
      if (!address.startsWith(files)) return undefined
      const answer = await server.inject({ method: 'GET', url: address.slice(publicUrl.length) })
      const isThere = answer.statusCode === 200 && answer.rawPayload.byteLength <= PICTURE_MAX
      return isThere ? answer.rawPayload : 'lost'
    },
    themeArchive: async (uuid) => (await uploadedArchive(db, files, uuid)) ?? 'lost',
    end,
  }
}
