import type { Config } from '../config.ts'
import { type Running, start } from '../main.ts'

export async function sandbox(config: Config): Promise<Running> {
  return start({ ...config, failedLoginsMax: 0 })
}
