import { join } from 'node:path'
import type { Config } from './config.ts'
import { Files } from './core/files/files.ts'
import type { Ids } from './core/ids.ts'

/** Uploaded files where the settings want them: in a folder of the data folder, or in a store that speaks S3. */
export async function filesOf(config: Config, publicUrl: string, { ids }: { ids: Ids }): Promise<Files> {
  const folder = join(config.dataFolder, 'files')
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3AccessKey: accessKey, s3SecretKey: secretKey } = config
  if (bucket === undefined) return new Files(folder, publicUrl, ids)
  // 22 MiB that only few need.
  const { openS3 } = await import('./core/files/s3.ts')
  const place = { bucket, endpoint, region: config.s3Region, prefix: config.s3Prefix, accessKey, secretKey }
  return new Files(folder, publicUrl, ids, await openS3(place, folder))
}
