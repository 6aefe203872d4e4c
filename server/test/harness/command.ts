import { vi } from 'vitest'
import { run } from '../../commands/cli.ts'

/** The exit code and the output of a command. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/**
 * Runs a command in this process, in a twentieth of the time of a process of its own. One at a time, because the
 * environment is shared.
 * @param args the arguments after the name of the program
 * @param settings the whole environment
 */
export async function command(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const ended: Ended = { code: null, out: '', err: '' }
  const hear = (stream: 'out' | 'err') => (text: unknown) => {
    ended[stream] += text
    return true
  }
  const [hearOut, hearErr] = [hear('out'), hear('err')]
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hearOut),
    vi.spyOn(process.stderr, 'write').mockImplementation(hearErr),
    vi.spyOn(console, 'log').mockImplementation((text) => void hearOut(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void hearErr(`${text}\n`)),
  ]
  const { env } = process
  process.env = { ...settings }
  try {
    ended.code = await run(args)
  } finally {
    process.env = env
    for (const spy of spies) spy.mockRestore()
  }
  return ended
}
