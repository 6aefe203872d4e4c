import type { Readable } from 'node:stream'

/** Facts about a stored file. */
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
 * The bytes of files: in a folder, or in a store that speaks S3. A file is identified by the hash of its store and a name.
 * Callers have checked both: they have no slashes.
 */
export interface Storage {
  /** Prepares it, or fails with a sentence for the operator. */
  open(): Promise<void>
  /** Moves a finished local file in, in place of a file of that name. After a failure nothing has changed. */
  keep(hash: string, name: string, path: string): Promise<void>
  /** Undefined if the file does not exist. */
  find(hash: string, name: string): Promise<FileFacts | undefined>
  /** The bytes of a file, or some of them. @throws if the file does not exist */
  read(hash: string, name: string, range?: ByteRange): Promise<Readable>
  /** Opens a file for work that reads parts of it. @throws if the file does not exist */
  lend<T>(hash: string, name: string, work: (path: string) => Promise<T>): Promise<T>
  /** Gives a file of one store to another one, too. @returns whether the file exists */
  share(hash: string, name: string, other: string): Promise<boolean>
  remove(hash: string, name: string): Promise<void>
  /** @returns whether it was deleted: not if it was written since */
  removeIfOlder(hash: string, name: string, than: Date): Promise<boolean>
  /** The names of a store's files, in portions. */
  list(hash: string): AsyncGenerator<string[]>
  /** The hashes of the stores that have or had files. */
  hashes(): Promise<string[]>
}
