import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Running, start } from '../main.ts'

export async function sandbox(config: Config): Promise<Running> {
  const running = await start({ ...config, failedLoginsMax: 0 })
  return running
}
