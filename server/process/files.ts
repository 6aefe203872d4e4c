import { join } from 'node:path'
import { Files } from '../core/files/files.ts'
import type { Storage } from '../core/files/storage.ts'
import type { Ids } from '../core/secrets/ids.ts'
import type { Directory } from '../stores/directory/directory.ts'
import { StorePortFaults } from '../stores/faults/ports.ts'
import type { Config } from './config.ts'

/** Opens the storage of uploaded files that the settings choose: a folder of the data folder, or an S3-compatible bucket. */
export async function filesOf(
  config: Config,
  publicUrl: string,
  { ids, directory }: { ids: Ids; directory: Directory },
): Promise<Files> {
  const folder = join(config.dataFolder, 'files')
  return new Files(folder, publicUrl, ids, {
    storage: await bucketOf(config, folder),
    faults: new StorePortFaults(directory.database),
  })
}

/**
 * The S3-compatible bucket in the settings, if there is one.
 * @param folder for uploads on their way to the bucket
 */
export async function bucketOf(config: Config, folder: string): Promise<Storage | undefined> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3AccessKey: accessKey, s3SecretKey: secretKey } = config
  if (bucket === undefined) return undefined
  // The S3 client takes 22 MiB, and few servers need it.
  const { openS3 } = await import('../core/files/s3.ts')
  return openS3({ bucket, endpoint, region: config.s3Region, prefix: config.s3Prefix, accessKey, secretKey }, folder)
}
