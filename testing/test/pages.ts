import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const docs = join(import.meta.dirname, '../../docs/testing')

/** A page about a test runner: the files that it shows, and the command that runs them. */
export interface Page {
  files: Record<string, string>
  command: string
}

/** Reads a page. A file is the block that follows a line which begins with its name. */
export function readPage(name: string): Page {
  const text = readFileSync(join(docs, `${name}.md`), 'utf8')
  const shown = text.matchAll(/^`([\w.-]+)` [^\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm)
  const [, command = ''] = /^```sh\n([^\n]*)\n```$/m.exec(text) ?? []
  const files = Object.fromEntries([...shown].map(([, file = '', content = '']) => [file, content]))
  if (command === '' || Object.keys(files).length === 0) throw new Error(`The page ${name} has no files or no command.`)
  return { files, command }
}

/** Writes the files of a page into a folder. */
export async function writePage({ files }: Page, folder: string) {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
}
