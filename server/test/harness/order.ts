import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order of the files of a run. Files that start processes wait most of the time, so they are spread evenly between
 * files that compute; large files of each kind go first. So the machine is busy while some wait, and no file runs alone
 * at the end.
 */
export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const read = files.map((file) => ({ file, text: readFileSync(file.moduleId, 'utf8') }))
    const sorted = read.toSorted((one, other) => lengthOf(other) - lengthOf(one))
    const [waiting, computing] = [sorted.filter(startsProcesses), sorted.filter((file) => !startsProcesses(file))]
    const place = (list: typeof sorted, share: number) =>
      list.map(({ file }, i) => ({ file, at: ((i + 0.5) / list.length) * share }))
    // The last part is for computing files alone, which are short.
    return [...place(waiting, 0.85), ...place(computing, 1)]
      .sort((one, other) => one.at - other.at)
      .map(({ file }) => file)
  }
}

/**
 * A measure of how long a file takes. Files of the isolation matrix have one line each, but run all tests of their
 * area.
 */
const lengthOf = ({ text }: { text: string }) =>
  text.includes('describeIsolation(await') ? Number.MAX_SAFE_INTEGER : text.length

const startsProcesses = ({ text }: { text: string }) =>
  /from '(node:child_process|[./\w]*\/(rig|browser)\.ts)'|\b(new Renderers|startEmbedded)\b/.test(text)
