/** Wakes a waiting loop. A loop at work misses it, but looks for more work before it waits again. */
export class Wakeup {
  #listener: (() => void) | undefined
  #restedAt = 0

  /** Until this time has passed, `wakeIfRested` has no effect. */
  rest(ms: number) {
    this.#restedAt = performance.now() + ms
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#listener = resolve
    })
  }

  wake() {
    this.#listener?.()
    this.#listener = undefined
  }

  wakeIfRested() {
    if (performance.now() >= this.#restedAt) this.wake()
  }
}
