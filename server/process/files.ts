import { join } from 'node:path'
import { Files } from '../core/files/files.ts'
import type { Storage } from '../core/files/storage.ts'
import type { Ids } from '../core/secrets/ids.ts'
import type { Config } from './config.ts'

/** Uploaded files where the settings want them: in a folder of the data folder, or in a store that speaks S3. */
export async function filesOf(config: Config, publicUrl: string, { ids }: { ids: Ids }): Promise<Files> {
  const folder = join(config.dataFolder, 'files')
  return new Files(folder, publicUrl, ids, await bucketOf(config, folder))
}

/** The store that speaks S3, if the settings name one. @param folder for what is on its way there */
export async function bucketOf(config: Config, folder: string): Promise<Storage | undefined> {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3AccessKey: accessKey, s3SecretKey: secretKey } = config
  if (bucket === undefined) return undefined
  // 22 MiB that only few need.
  const { openS3 } = await import('../core/files/s3.ts')
  return openS3({ bucket, endpoint, region: config.s3Region, prefix: config.s3Prefix, accessKey, secretKey }, folder)
}
