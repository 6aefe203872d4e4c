import { appendFileSync } from 'node:fs'

/** Writes a line when a file of tests is over: milliseconds, tests that passed, tests that failed, the file. */
export default class {
  onTestModuleEnd(file) {
    const states = [...file.children.allTests()].map((test) => test.result().state)
    const count = (state) => states.filter((each) => each === state).length
    const line = [Math.round(file.diagnostic().duration), count('passed'), count('failed'), file.relativeModuleId]
    appendFileSync(process.env.COUNTS, `${line.join('\t')}\n`)
  }
}
