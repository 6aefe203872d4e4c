import type { Readable } from 'node:stream'

/** What is known of a stored file. */
export interface FileFacts {
  size: number
  writtenAt: Date
}

/** Bytes of a file, from the first to the last, both included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Where the bytes of files lie: a folder, or a store that speaks S3. Files are known by the hash of their store and a name.
 * Whoever calls has checked both: hashes and names have no slashes.
 */
export interface Storage {
  /** Makes it ready, or fails with a sentence for the operator. */
  open(): Promise<void>
  /** Takes a finished local file over, in place of what has the name. After a failure nothing has changed. */
  keep(hash: string, name: string, path: string): Promise<void>
  /** Undefined if there is no such file. */
  find(hash: string, name: string): Promise<FileFacts | undefined>
  /** The bytes of a file, or some of them. @throws if there is no such file */
  read(hash: string, name: string, range?: ByteRange): Promise<Readable>
  /** Lends a file to work that reads here and there in it. @throws if there is no such file */
  lend<T>(hash: string, name: string, work: (path: string) => Promise<T>): Promise<T>
  remove(hash: string, name: string): Promise<void>
  /** @returns whether it was removed: not if it was written since */
  removeIfOlder(hash: string, name: string, than: Date): Promise<boolean>
  /** The names of a store's files, some at a time. */
  list(hash: string): AsyncGenerator<string[]>
  /** The hashes of the stores that have, or had, files. */
  hashes(): Promise<string[]>
}
