import { startServer } from './server.ts'

/** The set-up of a vitest run: `globalSetup: '@storeward/testing/vitest'`. Jest and Playwright call it, too. @returns the tear-down */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.STOREWARD_URL !== undefined) return async () => {}
  const command = process.env.STOREWARD_COMMAND?.split(' ')
  const server = await startServer(command ? { command } : {})
  process.env.STOREWARD_URL = server.url
  process.env.STOREWARD_OPERATOR_KEY = server.operatorKey
  return server.stop
}
