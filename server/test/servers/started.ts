import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/storeward.js', import.meta.url))

/** A command of storeward in a process of its own. */
export interface Started {
  child: ChildProcess
  /** Waits for a text. @returns all that it has said by then @throws Error with that if it ends before */
  says(text: RegExp): Promise<{ child: ChildProcess; output: string }>
}

/** Starts a command, such as `serve`. */
export function startProgram(args: readonly string[], { env, cwd }: { env: NodeJS.ProcessEnv; cwd?: string }): Started {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [program, ...args], { env, stdio: [...stdio], ...(cwd ? { cwd } : {}) })
  let output = ''
  let isOver = false
  const hear = (text: string) => {
    output += text
    child.emit('said')
  }
  child.stdout?.setEncoding('utf8').on('data', hear)
  child.stderr?.setEncoding('utf8').on('data', hear)
  child.once('close', () => {
    isOver = true
    child.emit('said')
  })
  return {
    child,
    async says(text) {
      while (!text.test(output)) {
        if (isOver) throw new Error(`It has ended by ${child.signalCode ?? child.exitCode} and said: ${output}`)
        await once(child, 'said')
      }
      return { child, output }
    },
  }
}

/** Ends a process, if it still runs. @returns the exit code, or the signal that ended it */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode ?? child.signalCode
}
