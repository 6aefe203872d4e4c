import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ByteRange, FileFacts, Storage } from './storage.ts'

/** A bucket, and its address and keys. */
export interface S3Place {
  bucket: string
  /** The default is Amazon's. */
  endpoint?: string | undefined
  region: string
  /** All names in the bucket begin with it. */
  prefix: string
  /** Without keys, Amazon's client looks for them in the environment and its own files. */
  accessKey?: string | undefined
  secretKey?: string | undefined
}

type Sdk = typeof import('@aws-sdk/client-s3')

/**
 * Opens a bucket with Amazon's client, which is loaded only here.
 * @param folder of this machine, for local copies
 * @throws Error with a sentence for the operator, if the client is not installed
 */
export async function openS3(place: S3Place, folder: string): Promise<Storage> {
  const sdk = await import('@aws-sdk/client-s3').catch(() => {
    throw new Error('S3_BUCKET needs the package @aws-sdk/client-s3: install it beside storeward.')
  })
  const { endpoint, region, accessKey, secretKey } = place
  const client = new sdk.S3Client({
    region,
    // Few S3-like services have a host name for each bucket, or Amazon's checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(accessKey && secretKey ? { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } } : {}),
  })
  return new S3Storage(sdk, client, place, folder)
}

/** Files in a bucket, named by prefix, hash of the store and name. */
class S3Storage implements Storage {
  readonly #sdk: Sdk
  readonly #client: S3Client
  readonly #place: S3Place
  readonly #folder: string

  constructor(sdk: Sdk, client: S3Client, place: S3Place, folder: string) {
    this.#sdk = sdk
    this.#client = client
    this.#place = place
    this.#folder = folder
  }

  async open() {
    const { HeadBucketCommand } = this.#sdk
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#place.bucket })).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message || error.name : String(error)
      throw new Error(`The bucket ${this.#place.bucket} of S3_BUCKET cannot be reached: ${reason}.`)
    })
  }

  async keep(hash: string, name: string, path: string) {
    const { size } = await stat(path)
    const { PutObjectCommand } = this.#sdk
    await this.#client.send(
      new PutObjectCommand({ ...this.#object(hash, name), Body: createReadStream(path), ContentLength: size }),
    )
    await rm(path, { force: true })
  }

  async find(hash: string, name: string): Promise<FileFacts | undefined> {
    const { HeadObjectCommand } = this.#sdk
    try {
      const found = await this.#client.send(new HeadObjectCommand(this.#object(hash, name)))
      return { size: found.ContentLength ?? 0, writtenAt: found.LastModified ?? new Date(0) }
    } catch (error) {
      if (error instanceof this.#sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
      throw error
    }
  }

  async read(hash: string, name: string, range?: ByteRange): Promise<Readable> {
    const { GetObjectCommand } = this.#sdk
    const bytes = range ? { Range: `bytes=${range.first}-${range.last}` } : {}
    const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#object(hash, name), ...bytes }))
    if (!(Body instanceof Readable)) throw new Error('The bucket returned no stream.')
    return Body
  }

  /** Lends a copy in the local folder. */
  async lend<T>(hash: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(this.#folder, hash, `${randomUUID().replaceAll('-', '')}.copy.part`)
    await mkdir(join(this.#folder, hash), { recursive: true })
    try {
      await pipeline(await this.read(hash, name), createWriteStream(path))
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  async share(hash: string, name: string, other: string): Promise<boolean> {
    const { Bucket, Key } = this.#object(hash, name)
    try {
      const { CopyObjectCommand } = this.#sdk
      const CopySource = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`
      await this.#client.send(new CopyObjectCommand({ ...this.#object(other, name), CopySource }))
      return true
    } catch (error) {
      if (error instanceof this.#sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return false
      throw error
    }
  }

  async remove(hash: string, name: string) {
    const { DeleteObjectCommand } = this.#sdk
    await this.#client.send(new DeleteObjectCommand(this.#object(hash, name)))
  }

  /**
   * S3 can't check and delete in one step. A request that writes the same content between the two loses it, and the job that reads
   * it reports that. The gap is one round trip, and exists only for content that had no owner for a day.
   */
  async removeIfOlder(hash: string, name: string, than: Date): Promise<boolean> {
    const facts = await this.find(hash, name)
    if (!facts || facts.writtenAt >= than) return false
    await this.remove(hash, name)
    return true
  }

  async *list(hash: string): AsyncGenerator<string[]> {
    const folder = `${this.#place.prefix}${hash}/`
    for await (const { Contents = [] } of this.#pages(folder)) {
      yield Contents.flatMap(({ Key }) => (Key ? [Key.slice(folder.length)] : []))
    }
  }

  async hashes(): Promise<string[]> {
    const hashes: string[] = []
    for await (const { CommonPrefixes = [] } of this.#pages(this.#place.prefix, '/')) {
      for (const { Prefix = '' } of CommonPrefixes) hashes.push(Prefix.slice(this.#place.prefix.length, -1))
    }
    return hashes
  }

  #pages(Prefix: string, Delimiter?: string) {
    const { paginateListObjectsV2 } = this.#sdk
    const wanted = { Bucket: this.#place.bucket, Prefix, ...(Delimiter ? { Delimiter } : {}) }
    return paginateListObjectsV2({ client: this.#client }, wanted)
  }

  #object(hash: string, name: string) {
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${hash}/${name}` }
  }
}
