import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order of the files of a run: those that start processes, and wait for them most of their time, evenly between those that
 * compute; of each kind the large ones first. So the machine has something to do while some wait, and none is left over that runs
 * alone at the end.
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

/** As a measure of how long a file takes. Those of the isolation matrix have a line each, and their area's tests. */
const lengthOf = ({ text }: { text: string }) =>
  text.includes('describeIsolation(await') ? Number.MAX_SAFE_INTEGER : text.length

const startsProcesses = ({ text }: { text: string }) =>
  /from '(node:child_process|[./\w]*\/(rig|browser)\.ts)'|\b(new Renderers|startEmbedded)\b/.test(text)
