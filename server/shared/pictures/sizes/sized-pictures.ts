import { availableParallelism } from 'node:os'
import type { Files } from '../../../core/files/files.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { StoreSlots } from '../../../stores/quotas/store-slots.ts'
import { PictureProcess } from './picture-process.ts'
import type { SizedFolder } from './sized-folder.ts'
import { type AskedSize, stepFor } from './sizes.ts'

/** A picture: the hash of its store and the name of its file. */
interface Picture {
  hash: string
  name: string
}

/** A file that is sent for a picture. */
interface SizedFile {
  source: Pick<Files, 'find' | 'read'>
  name: string
  /** Its extension. */
  extension: string
}

/** Pictures that are resized at once. A small machine has a core left for other requests. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1
/** Waiting pictures of a store. */
const WAITING_MAX = 200
/** Pictures whose size is in memory. */
const KNOWN_MAX = 10_000

/** GIFs would lose their animation, and icons have several sizes. */
const RESIZED: ReadonlySet<string> = new Set(['jpg', 'png'])

/** Makes pictures in sizes, once for each (docs/decisions/089-pictures-in-sizes.md). */
export class SizedPictures {
  readonly #files: Files
  readonly #folder: SizedFolder
  readonly #directory: Pick<Directory, 'find'>
  readonly #process = new PictureProcess()
  readonly #slots = new StoreSlots({ all: AT_ONCE, store: AT_ONCE, waiting: WAITING_MAX })
  /** Pictures that are being made. */
  readonly #making = new Map<string, Promise<void>>()
  readonly #known = new Map<string, { width: number; height: number }>()

  constructor(files: Files, folder: SizedFolder, directory: Pick<Directory, 'find'>) {
    this.#files = files
    this.#folder = folder
    this.#directory = directory
  }

  /**
   * The file for a picture in a size: the picture itself if it can't be resized.
   * @param isWebp whether the size is sent as WebP
   * @returns undefined if there is no such picture
   * @throws Problem 429 if too many pictures of the store wait, 503 if their process has ended
   */
  async find(picture: Picture, size: AskedSize, isWebp: boolean): Promise<SizedFile | undefined> {
    const { hash, name } = picture
    const [, base = '', extension = ''] = /^([0-9a-f]{32})\.(\w+)$/.exec(name) ?? []
    const original = { source: this.#files, name, extension }
    if (!(await this.#files.find({ hash }, name))) return undefined
    if (size === 'original' || !RESIZED.has(extension)) return original
    const step = size.height === undefined ? stepFor(size, { width: 1, height: 1 }) : await this.#boxStep(picture, size)
    if (step === undefined) return original
    const made = isWebp ? 'webp' : extension
    const file = `${base}-${step}.${made}`
    // An empty file stands for a picture that can't be resized.
    const known = (await this.#folder.find({ hash }, file)) ?? (await this.#make(picture, { file, step, made }))
    return known && known.size > 0 ? { source: this.#folder, name: file, extension: made } : original
  }

  async #boxStep(picture: Picture, size: Exclude<AskedSize, 'original'>): Promise<number | undefined> {
    const key = `${picture.hash} ${picture.name}`
    const known = this.#known.get(key) ?? (await this.#measure(picture))
    if (!known) return undefined
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(key, known)
    return stepFor(size, known)
  }

  /** Reads the size from the header of a picture. @returns undefined for a damaged one */
  async #measure({ hash, name }: Picture): Promise<{ width: number; height: number } | undefined> {
    return this.#files.lend({ hash }, name, async (path) => {
      const answer = await this.#process.ask({ path })
      return answer.kind === 'measured' ? { width: answer.width, height: answer.height } : undefined
    })
  }

  async #make(picture: Picture, made: { file: string; step: number; made: string }) {
    const key = `${picture.hash} ${made.file}`
    const making = this.#making.get(key) ?? this.#resize(picture, made).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    await making
    return this.#folder.find({ hash: picture.hash }, made.file)
  }

  async #resize({ hash, name }: Picture, { file, step, made }: { file: string; step: number; made: string }) {
    const store = await this.#directory.find(hash)
    if (!store) return
    await this.#slots.run(store, async () => {
      const answer = await this.#files.lend({ hash }, name, (path) =>
        this.#process.ask({ path, made: { width: step, extension: made } }),
      )
      // Without the library pictures are sent as they are.
      if (answer.kind === 'missing') return
      await this.#folder.store({ hash }, file, answer.kind === 'made' ? answer.bytes : new Uint8Array())
    })
  }
}
