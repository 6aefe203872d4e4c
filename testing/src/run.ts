#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { startServer } from './server.ts'

// storeward-testing <command>: starts a server, runs the command with STOREWARD_URL and STOREWARD_OPERATOR_KEY, and stops the server. So all
// processes of any test runner share one server.

const [program, ...args] = process.argv.slice(2)
if (program === undefined) {
  console.error('storeward-testing <command>: for example storeward-testing node --test')
  process.exit(2)
}
const command = process.env.STOREWARD_COMMAND?.split(' ')
const server = await startServer(command ? { command } : {})
const environment = { ...process.env, STOREWARD_URL: server.url, STOREWARD_OPERATOR_KEY: server.operatorKey }
const child = spawn(program, args, { stdio: 'inherit', env: environment })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const code = await new Promise<number>((resolve) => {
  child.once('error', (error) => {
    console.error(error.message)
    resolve(127)
  })
  child.once('close', (status) => resolve(status ?? 1))
})
await server.stop()
process.exit(code)
