import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

// Runs the server of a test run, and ends it when the pipe of its starter closes. A killed run closes its pipes, too, so nothing is left behind.

const [data = '', program = '', ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
let isEnding = false

const end = () => {
  if (isEnding) return
  isEnding = true
  server.kill('SIGTERM')
}
process.stdin.resume().once('close', end)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
server.once('error', (error) => {
  console.error(error.message)
  rmSync(data, { recursive: true, force: true })
  process.exit(1)
})
server.once('close', (code) => {
  rmSync(data, { recursive: true, force: true, maxRetries: 10 })
  process.exit(isEnding ? 0 : (code ?? 1))
})
