import type { FastifyRequest } from 'fastify'
import { DatabaseUnavailable, type Db, type Store, type Tx } from '../db/database.ts'
import { undoUnlessAnswered } from '../rest/api.ts'
import type { Problem } from '../rest/problem.ts'
import type { Content, FileDraft, Files } from './files.ts'
import { streamUpload } from './upload.ts'

/** The forms of one route, each with a file of any size. */
interface ReceivingRules {
  /** The part of the form that has the file. */
  readonly field: string
  readonly bytesMax: number
  readonly extension: string
  /** Forms of a store that a process receives at once: their bytes are on the disk that all stores share. */
  readonly atOnce: number
  /** The refusal beyond `atOnce`. */
  tooMany(): Problem
  /** Refuses requests before their file is stored. It reads only. */
  refuse(tx: Tx): Promise<void>
  /** Passes the bytes on, and throws a Problem for wrong ones. */
  check?(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

interface ReceivedFile {
  draft: FileDraft
  isStored: boolean
  end: () => void
}

/** The files of requests, from the form until an owner has them. The file of a refused request is deleted. */
export class ReceivedFiles {
  readonly #files: Files
  readonly #rules: ReceivingRules
  readonly #received = new WeakMap<object, ReceivedFile>()
  /** Forms that are being received, by store. */
  readonly #counts = new Map<number, number>()

  constructor(files: Files, rules: ReceivingRules) {
    this.#files = files
    this.#rules = rules
  }

  /** Reads the file of a form to the disk, before the handler: call it in `preValidation`. @throws Problem */
  async receive(request: FastifyRequest): Promise<Content> {
    const { db } = request
    const { field, bytesMax, extension, check = (bytes) => bytes } = this.#rules
    const end = this.#begin(db.store)
    try {
      const draft = await streamUpload(request, {
        field,
        bytesMax,
        take: (bytes) => this.#files.draft(db.store, check(bytes), extension),
        undo: (draft) => draft.discard(),
      })
      const file = { draft, isStored: false, end }
      this.#received.set(request, file)
      undoUnlessAnswered(request, (failure) => this.#discard(db, file, failure))
      return { name: draft.name, size: draft.size }
    } catch (error) {
      end()
      throw error
    }
  }

  /** Stores the file, unless the request would be refused anyway: the `prepare` of a route. @throws Problem */
  async store(request: FastifyRequest) {
    await request.db.transaction((tx) => this.#rules.refuse(tx))
    const file = this.#received.get(request)
    if (!file) throw new Error('The file was not received.')
    file.isStored = true
    await file.draft.keep()
  }

  /** Call it when the file has an owner. */
  end(request: object) {
    this.#received.get(request)?.end()
  }

  /** @returns a function that ends the reception, and may be called again. @throws Problem */
  #begin({ id }: Store): () => void {
    const count = this.#counts.get(id) ?? 0
    if (count >= this.#rules.atOnce) throw this.#rules.tooMany()
    this.#counts.set(id, count + 1)
    let isUnderWay = true
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      const left = (this.#counts.get(id) ?? 1) - 1
      if (left === 0) this.#counts.delete(id)
      else this.#counts.set(id, left)
    }
  }

  /** Stored content may have another owner by now, so it is deleted later if it has none. */
  async #discard(db: Db, { draft, isStored, end }: ReceivedFile, failure: unknown) {
    end()
    await draft.discard()
    // Without a database the owner may exist, and strays are removed after a day.
    if (isStored && !(failure instanceof DatabaseUnavailable))
      await db.transaction((tx) => this.#files.clearLater(tx, draft.name))
  }
}
